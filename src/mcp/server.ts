/** The MCP server: what the SDK is told. The work behind a tool is loaded when a tool is first called. */
import { McpServer, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../config.ts';
import { instructionsFor } from './instructions.ts';
import { chosenTools, type ToolListing } from './listing.ts';
import type { CallOptions, ToolResult } from './run-tool.ts';

export interface ServerParts {
  readonly config: Config;
  readonly version: string;
  readonly listing: readonly ToolListing[];
  readonly run: (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;
}

type Transport = NonNullable<NonNullable<Parameters<typeof serveStdio>[1]>['transport']>;

/** Serves one connection: standard input and output, or the transport that a test hands in. */
export function serve(parts: ServerParts, options: { onError: (error: Error) => void; transport?: Transport }) {
  return serveStdio(() => buildServer(parts), {
    onerror: options.onError,
    ...(options.transport ? { transport: options.transport } : {}),
  });
}

/** One server for one connection. Pure: the SDK also builds servers for probes that it throws away. */
function buildServer(parts: ServerParts): McpServer {
  const server = new McpServer(
    { name: 'brokerage-mcp', title: 'Brokerage account', version: parts.version },
    {
      instructions: instructionsFor(parts.config),
      jsonSchemaValidator: noValidator,
    },
  );
  for (const tool of chosenTools(parts.listing, parts.config)) {
    const { name, toolset: _, inputSchema, outputSchema, ...rest } = tool;
    server.registerTool(
      name,
      { ...rest, inputSchema: passThrough(inputSchema), outputSchema: passThrough(outputSchema) },
      async (args: unknown, ctx: ServerContext) => toResult(await parts.run(name, args, callOptions(ctx))),
    );
  }
  return server;
}

/**
 * The pipeline parses arguments itself, to answer a wrong one with one sentence and a next step; the
 * SDK is only given the schema to show.
 */
const passThrough = (schema: Record<string, unknown>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'brokerage-mcp',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

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

const toResult = (result: ToolResult) =>
  result.isError
    ? { isError: true, content: [{ type: 'text' as const, text: result.text }] }
    : { content: [{ type: 'text' as const, text: result.text }], structuredContent: result.body };
