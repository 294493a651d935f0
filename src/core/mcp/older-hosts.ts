/** What hosts of earlier protocol revisions need to be done differently. */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { ElicitationRequest, ElicitationResult } from './elicitation.ts';
import type { HostInteraction } from './tool.ts';

/** Revisions are dates, so they compare as strings. A connection without a revision counts as the newest. */
const speaks = ({ server }: McpServer, revision: string): boolean =>
  (server.getNegotiatedProtocolVersion() ?? 'unknown') >= revision;

/**
 * Whether structured content may be sent. Older hosts pass it to the model as a second text, which doubles the cost of
 * every result.
 */
export const acceptsStructuredContent = (server: McpServer): boolean => speaks(server, '2025-06-18');

/**
 * Whether a question to the user is sent as the result of the call, which the client then repeats with the reply; older
 * hosts receive a request instead.
 */
export const requestsInputByResult = (server: McpServer): boolean => speaks(server, '2026-07-28');

/** Whether the results of lists have fields that say how long they may be kept. */
export const expectsCacheFields = (server: McpServer): boolean => speaks(server, '2026-07-28');

/** The capability of a host, with what it can show; empty for older clients, which show forms. */
interface DeclaredElicitation {
  readonly form?: object | undefined;
  readonly url?: object | undefined;
}

/** Which questions to the user a host declares that it can show. It does not prove that a person is there. */
export const readAbilities = (
  declared: DeclaredElicitation | undefined,
): Pick<HostInteraction, 'canForm' | 'canUrl'> => ({
  canForm: declared !== undefined && (declared.form !== undefined || declared.url === undefined),
  canUrl: declared?.url !== undefined,
});

/** The most questions of one call: a form that was filled in wrongly is shown once more. */
export const maxQuestions = 2;

/** An approval expires after two minutes, so a question waits no longer. */
const maxElicitationMs = 120_000;

/**
 * Sends the question as its own request and resolves to the host's reply. A failed request counts as a form that was
 * not shown: the order exists and is pending, so the caller needs its outcome, not an error.
 */
export async function elicitByRequest(question: ElicitationRequest, ctx: ServerContext): Promise<ElicitationResult> {
  const { nonce, isRepeat, message } = question;
  const params =
    question.kind === 'url'
      ? { mode: 'url' as const, message, url: question.url, elicitationId: crypto.randomUUID() }
      : { mode: 'form' as const, message, requestedSchema: structuredClone(question.schema) as never };
  try {
    const { action, content } = await ctx.mcpReq.send(
      { method: 'elicitation/create', params },
      // Progress notifications of the host extend the timeout while the user decides.
      { timeout: maxElicitationMs, resetTimeoutOnProgress: true, signal: ctx.mcpReq.signal, onprogress: () => {} },
    );
    return { nonce, isRepeat, action, content: content ?? {} };
  } catch {
    // The host does not respond, or refuses: the order waits until it expires.
    return { nonce, isRepeat, action: 'cancel', content: {} };
  }
}
