/** The MCP server: what the SDK is told. The work behind a tool is loaded when a tool is first called. */
import type { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  McpServer,
  type RegisteredTool,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../config.ts';
import { boundInput } from './bounded-input.ts';
import { approvalForm, type ElicitationRequest } from './elicitation.ts';
import { instructionsFor } from './instructions.ts';
import { acceptsStructuredContent, elicitByRequest, requestsInputByResult } from './older-hosts.ts';
import { passThrough } from './passthrough-schema.ts';
import { withPlainErrors } from './plain-errors.ts';
import { registerPrompts } from './prompts/register-prompts.ts';
import { type ResourceDeps, registerResources } from './resources/register-resources.ts';
import type { CallOptions, ToolResult } from './run-tool.ts';
import type { HostInteraction, ToolListing } from './tool.ts';
import { buildMeta, enabledTools } from './tool-listing.ts';

export interface McpServerDeps extends ResourceDeps {
  readonly config: Config;
  readonly version: string;
  readonly listing: readonly ToolListing[];
  readonly run: (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;
  /** Told once a client is there: from then on work may go on by itself. */
  readonly onClient?: (() => void) | undefined;
}

type Transport = NonNullable<NonNullable<Parameters<typeof serveStdio>[1]>['transport']>;

interface ServeOptions {
  readonly onError: (error: Error) => void;
  /** Standard input, whose lines are answered on standard output. */
  readonly input?: Readable;
  /** What a test hands in instead. */
  readonly transport?: Transport;
}

/** Serves one connection. */
export function serve(parts: McpServerDeps, { onError, input, transport }: ServeOptions) {
  const chosen = transport ?? (input && boundedTransport(input, onError));
  return serveStdio(() => buildServer(parts), {
    onerror: (error) => onError(isSchemaError(error) ? noMessage() : error),
    ...(chosen ? { transport: chosen } : {}),
  });
}

const invalidRequest = -32_600;

/** Answers a line that is too large itself, so that its client does not wait for an answer. */
function boundedTransport(input: Readable, onError: (error: Error) => void): Transport {
  const message = 'The message is too large: the limits are 96 kB, 20,000 values and a depth of 64.';
  const transport = new StdioServerTransport(
    boundInput(input, ({ id }) => {
      onError(new Error(message));
      // Without its id, no client could tell which request it is about.
      if (id !== undefined)
        transport.send({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } }).catch(onError);
    }),
  );
  return transport;
}

/** An error of the schema library: the SDK's report of it is forty lines of what the line could have been. */
const isSchemaError = (error: Error): boolean => 'issues' in error;
const noMessage = () =>
  new Error(
    'Ignored an input line that is not a JSON-RPC message. Batches are not supported; send one message per line.',
  );

/** One server for one connection. Pure: the SDK also builds servers for probes that it throws away. */
export function buildServer(parts: McpServerDeps): McpServer {
  const server = new McpServer(
    { name: 'brokerage-mcp', title: 'Brokerage account', version: parts.version },
    {
      instructions: instructionsFor(parts.config),
      capabilities: unchangingLists,
      jsonSchemaValidator: noValidator,
    },
  );
  const registered: RegisteredTool[] = [];
  /** The SDK, and some older clients, refuse an answer without structured content where they know an output schema. */
  const hideOutputSchemas = () => {
    for (const tool of registered) tool.outputSchema = undefined as never;
  };
  server.server.oninitialized = () => {
    parts.onClient?.();
    if (!acceptsStructuredContent(server)) hideOutputSchemas();
  };
  for (const tool of enabledTools(parts.listing, parts.config)) {
    const { name, toolset: _, inputSchema, outputSchema, ...rest } = tool;
    const added = server.registerTool(
      name,
      {
        ...rest,
        inputSchema: passThrough(inputSchema),
        outputSchema: passThrough(outputSchema),
        _meta: buildMeta(tool, parts.config),
      },
      async (args: unknown, ctx: ServerContext) => {
        // Newer clients send no word that they are there; their first call is one.
        parts.onClient?.();
        const options = callOptions(ctx);
        const host = createHostInteraction(server, ctx);
        let result = await parts.run(name, args, { ...options, host });
        if (!result.isError && result.ask && !requestsInputByResult(server)) {
          const answer = await elicitByRequest(result.ask, ctx);
          result = await parts.run(name, args, { ...options, host: { ...host, answer } });
        }
        const isStructured = acceptsStructuredContent(server);
        if (!isStructured) hideOutputSchemas();
        return toResult(result, isStructured);
      },
    );
    registered.push(added);
  }
  registerResources(server, parts);
  registerPrompts(server, parts);
  return withPlainErrors(server);
}

/**
 * The SDK would promise a word when a list changes, and clients would keep a stream open for it. Tools and
 * prompts are those of the settings; a downloaded report is told by the tool that downloaded it.
 */
const unchangingLists: NonNullable<ServerOptions['capabilities']> = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
};

/** The SDK's own validator (a large one) would be loaded for elicited forms alone, which are checked where they are used. */
const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

function callOptions(ctx: ServerContext): CallOptions {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: ctx.mcpReq.signal };
  return {
    signal: ctx.mcpReq.signal,
    onProgress: (message, progress, total) => {
      // A client that has gone away does not stop the work.
      ctx.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken, progress, message, ...(total === undefined ? {} : { total }) },
        })
        .catch(() => undefined);
    },
  };
}

const toResult = (result: ToolResult, isStructured: boolean) => {
  const content = [{ type: 'text' as const, text: result.text }];
  // Text only: some hosts show the model structured content even of an error, and then nothing else.
  if (result.isError) return { isError: true, content };
  if (result.ask) return toQuestion(result.ask);
  return isStructured ? { content, structuredContent: result.body } : { content };
};

const questionKey = 'approval';

const toQuestion = (ask: ElicitationRequest) =>
  inputRequired({
    // Random, known to the store alone, and good for one intent: it needs no signature.
    requestState: ask.nonce,
    inputRequests: {
      [questionKey]:
        ask.kind === 'url'
          ? inputRequired.elicitUrl({ message: ask.message, url: ask.url })
          : inputRequired.elicit({ message: ask.message, requestedSchema: structuredClone(approvalForm) as never }),
    },
  });

/** What the client says that it can show, and what its person answered. A declared capability is no proof of a human. */
function createHostInteraction(server: McpServer, ctx: ServerContext): HostInteraction {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined;
  const elicitation = capabilities?.elicitation as { form?: object; url?: object } | undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, questionKey);
  const nonce = ctx.mcpReq.requestState();
  return {
    // An empty capability is the older word for forms.
    canForm: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    canUrl: elicitation?.url !== undefined,
    answer:
      response.kind === 'elicit' && typeof nonce === 'string'
        ? { nonce, action: response.action, confirmQuantity: response.content?.confirmQuantity }
        : undefined,
  };
}
