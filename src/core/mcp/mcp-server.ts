/** Sets up the SDK's MCP server. The implementation of the tools is loaded at the first tool call. */
import type { Readable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  inputRequired,
  inputResponse,
  McpServer,
  type RegisteredTool,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { orElse } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { type ElicitationRequest, readState, writeState } from './elicitation.ts';
import {
  acceptsStructuredContent,
  elicitByRequest,
  maxQuestions,
  readAbilities,
  requestsInputByResult,
} from './older-hosts.ts';
import { followOnListen, type ResourceChanges, type Transport } from './resource-changes.ts';
import type { CallOptions, RunTool, ToolResult } from './run-tool.ts';
import type { HostInteraction, ToolListing } from './tool.ts';
import { buildMeta, enabledTools, instructionsFor, passThrough, withAccountArgument } from './tool-listing.ts';
import { boundInput, withPlainErrors } from './transport-guards.ts';
import { viewDataKey } from './view-data.ts';

/** What a server needs: the configuration, the tool listing, and functions that load the rest on demand. */
export interface McpServerDeps {
  readonly config: Config;
  readonly version: string;
  readonly listing: readonly ToolListing[];
  readonly run: RunTool;
  /** The names of the accounts, where the server has several. */
  readonly accounts?: readonly string[] | undefined;
  /** Whether the client may show questions, by which a person approves; default true. */
  readonly canAsk?: boolean | undefined;
  /** Registers what features offer besides tools, before the server connects. */
  readonly extend: (server: McpServer, config: Config) => void;
  /** The resource that clients can listen to. */
  readonly changes?: ResourceChanges | undefined;
  /** Called once a client is connected; background work may start from then on. */
  readonly onClient?: (() => void) | undefined;
}

/** Serves MCP over standard input and output, or over the given transport. Returns the SDK's handle. */
export function serve(
  deps: McpServerDeps,
  {
    onError,
    input,
    transport,
  }: {
    readonly onError: (error: Error) => void;
    /** Standard input; responses go to standard output. */
    readonly input?: Readable;
    /** Replaces standard input and output in tests. */
    readonly transport?: Transport;
  },
) {
  const chosen = transport ?? (input ? boundedTransport(input, onError) : new StdioServerTransport());
  // The one before it is that of a probe, which the SDK closes.
  let latest: McpServer | undefined;
  const build = () => {
    latest = buildServer(deps);
    return latest;
  };
  const notify = (uri: string) =>
    void latest?.server.sendResourceUpdated({ uri }).catch(orElse('notify a client', undefined));
  const { changes } = deps;
  return serveStdio(build, {
    onerror: (error) => onError(isSchemaError(error) ? noMessage() : error),
    transport: changes ? followOnListen(chosen, changes, () => notify(changes.uri)) : chosen,
  });
}

const invalidRequest = -32_600;

/** Sends the error for a line that is too large, so that its client does not wait for a response. */
function boundedTransport(input: Readable, onError: (error: Error) => void): Transport {
  const message = 'The message is too large: the limits are 96 kB, 20,000 values and a depth of 64.';
  const transport = new StdioServerTransport(
    boundInput(input, ({ id }) => {
      onError(new Error(message));
      // Without its id, the client could not match the error to its request.
      if (id !== undefined)
        transport.send({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } }).catch(onError);
    }),
  );
  return transport;
}

/**
 * Whether an error is from the schema library. The SDK's message for it is forty lines long, so a short one replaces
 * it.
 */
const isSchemaError = (error: Error): boolean => 'issues' in error;
const noMessage = () =>
  new Error(
    'Ignored an input line that is not a JSON-RPC message. Batches are not supported; send one message per line.',
  );

/**
 * Builds one server for one connection. It has no side effects, because the SDK also builds servers for probes and
 * discards them.
 */
export function buildServer(deps: McpServerDeps): McpServer {
  const server = new McpServer(
    { name: 'brokerage-mcp', title: 'Brokerage account', version: deps.version },
    {
      instructions: instructionsFor(deps.config, deps.accounts),
      capabilities: unchangingLists,
      jsonSchemaValidator: noValidator,
    },
  );
  const registered: RegisteredTool[] = [];
  /**
   * Hides output schemas from older clients: where they know one, the SDK and some clients reject a result without
   * structured content.
   */
  const hideOutputSchemas = () => {
    for (const tool of registered) tool.outputSchema = undefined as never;
  };
  server.server.oninitialized = () => {
    deps.onClient?.();
    if (!acceptsStructuredContent(server)) hideOutputSchemas();
  };
  for (const tool of withAccountArgument(enabledTools(deps.listing, deps.config), deps.accounts ?? [])) {
    const { name, title, description, annotations, inputSchema, outputSchema } = tool;
    const added = server.registerTool(
      name,
      {
        title,
        description,
        annotations,
        inputSchema: passThrough(inputSchema),
        outputSchema: passThrough(outputSchema),
        _meta: buildMeta(tool, deps.config),
      },
      async (args: unknown, ctx: ServerContext) => {
        // Clients of the 2026-07-28 revision send no initialized notification, so their first call counts as one.
        deps.onClient?.();
        const options = { ...callOptions(ctx), config: deps.config };
        const host = createHostInteraction(server, ctx, deps.canAsk ?? true);
        let result = await deps.run(name, args, { ...options, host });
        const asksByRequest = !requestsInputByResult(server);
        for (let asked = 0; asksByRequest && asked < maxQuestions && !result.isError && result.ask; asked++) {
          const answer = await elicitByRequest(result.ask, ctx);
          result = await deps.run(name, args, { ...options, host: { ...host, answer } });
        }
        const isStructured = acceptsStructuredContent(server);
        if (!isStructured) hideOutputSchemas();
        return toResult(result, isStructured);
      },
    );
    registered.push(added);
  }
  deps.extend(server, deps.config);
  return withPlainErrors(server);
}

/**
 * By default the SDK advertises listChanged, and clients keep a stream open for it. Tools and prompts depend on the
 * settings only, and the download tool itself reports a new export, so no list change is ever sent.
 */
const unchangingLists: NonNullable<ServerOptions['capabilities']> = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: true },
  prompts: { listChanged: false },
};

/**
 * Replaces the SDK's own large validator, which it would load for elicited forms only; those are checked where they are
 * used.
 */
const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

function callOptions(ctx: ServerContext): CallOptions {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: ctx.mcpReq.signal };
  return {
    signal: ctx.mcpReq.signal,
    onProgress: (message, progress, total) => {
      ctx.mcpReq
        .notify({
          method: 'notifications/progress',
          params: { progressToken, progress, message, ...(total === undefined ? {} : { total }) },
        })
        // The client has disconnected, which does not stop the work.
        .catch(() => undefined);
    },
  };
}

const toResult = (result: ToolResult, isStructured: boolean) => {
  const content = [{ type: 'text' as const, text: result.text }];
  // Errors are text only: some hosts show the model nothing but structured content, even of an error.
  if (result.isError) return { isError: true, content };
  if (result.ask) return toQuestion(result.ask);
  const links = (result.links ?? []).map((link) => ({ type: 'resource_link' as const, ...link }));
  const all = [...content, ...links];
  return {
    content: all,
    ...(isStructured ? { structuredContent: result.body } : {}),
    ...(result.viewData ? { _meta: { [viewDataKey]: result.viewData } } : {}),
  };
};

const questionKey = 'approval';

const toQuestion = (ask: ElicitationRequest) =>
  inputRequired({
    // The nonce is random, stored, and valid for one intent, so it needs no signature.
    requestState: writeState(ask),
    inputRequests: {
      [questionKey]:
        ask.kind === 'url'
          ? inputRequired.elicitUrl({ message: ask.message, url: ask.url })
          : inputRequired.elicit({ message: ask.message, requestedSchema: structuredClone(ask.schema) as never }),
    },
  });

/** A host names itself, and the name is a part of keys in the store. */
const maxNameLength = 60;

/** Reads what the client declares that it can show, and the user's reply to a form. */
function createHostInteraction(server: McpServer, ctx: ServerContext, canAsk: boolean): HostInteraction {
  const envelope = ctx.mcpReq.envelope as Record<string, unknown> | undefined;
  const capabilities = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities()) as
    | ClientCapabilities
    | undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, questionKey);
  const state = ctx.mcpReq.requestState();
  const info = (envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion()) as { name?: unknown } | undefined;
  return {
    name: typeof info?.name === 'string' ? info.name.slice(0, maxNameLength) : undefined,
    ...readAbilities(canAsk ? capabilities?.elicitation : undefined),
    answer:
      canAsk && response.kind === 'elicit' && typeof state === 'string'
        ? { ...readState(state), action: response.action, content: response.content ?? {} }
        : undefined,
  };
}
