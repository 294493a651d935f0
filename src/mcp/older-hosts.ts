/** What hosts of earlier protocol revisions need done differently. */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { approvalForm, type ElicitationRequest, type ElicitationResult } from './elicitation.ts';

/** Revisions are dates. A connection that named none is taken for one of the newest. */
const speaks = ({ server }: McpServer, revision: string): boolean =>
  (server.getNegotiatedProtocolVersion() ?? 'unknown') >= revision;

/** Older hosts show the model structured content as a second text, so every answer would cost twice. */
export const acceptsStructuredContent = (server: McpServer): boolean => speaks(server, '2025-06-18');

/** Whether a question is an answer of the call, which then comes again; older hosts are sent a request instead. */
export const requestsInputByResult = (server: McpServer): boolean => speaks(server, '2026-07-28');

/** An approval ends after two minutes, so nobody is asked for longer. */
const maxElicitationMs = 120_000;

/**
 * Sends the question as a request of its own and resolves to what the host answered. A request that fails
 * is a form that nobody saw: the order exists and waits, so the caller needs its outcome and not an error.
 */
export async function elicitByRequest(question: ElicitationRequest, ctx: ServerContext): Promise<ElicitationResult> {
  const { nonce, message } = question;
  const params =
    question.kind === 'url'
      ? { mode: 'url' as const, message, url: question.url, elicitationId: crypto.randomUUID() }
      : { mode: 'form' as const, message, requestedSchema: structuredClone(approvalForm) as never };
  try {
    const { action, content } = await ctx.mcpReq.send(
      { method: 'elicitation/create', params },
      // The person may take their time while the host says that it is still there.
      { timeout: maxElicitationMs, resetTimeoutOnProgress: true, signal: ctx.mcpReq.signal, onprogress: () => {} },
    );
    return { nonce, action, confirmQuantity: content?.confirmQuantity };
  } catch {
    return { nonce, action: 'cancel', confirmQuantity: undefined };
  }
}
