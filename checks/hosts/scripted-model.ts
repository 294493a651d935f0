/** A model on loopback that plays a script: each request of a host gets the next call of a tool, and then an end. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Conversation, type Tool, type Turn, wires } from './wires.ts';

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Returns the next call, from the results of the calls before; undefined ends the script. */
export type Script = (results: readonly string[]) => Call | undefined;

export interface Model {
  readonly url: string;
  /** The results of the script's calls as the host showed them to the model, newest state. */
  readonly results: () => readonly string[];
  /** Whether a request had these words. */
  readonly hasHeard: (words: string) => boolean;
  /** The tools of ours that the host showed, by their own names. */
  readonly tools: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** A tool with which a host lets a model look for tools that it does not show at first. */
const searches = new Set(['ToolSearch', 'tool_search']);

/** Starts it on a free port. `ours` are the names of the server's tools, before which a host writes the server's name. */
export async function startModel(script: Script, ours: readonly string[]): Promise<Model> {
  let results: readonly string[] = [];
  const heard: string[] = [];
  const shown = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      process.stderr.write(`The scripted model failed: ${error.stack}\n`);
      response.destroy();
    });
  });

  const nameOf = (tool: Tool) => ours.find((name) => tool.name === name || tool.name.endsWith(`_${name}`));

  function decide({ tools, calls }: Conversation): Turn {
    for (const tool of tools) {
      const name = nameOf(tool);
      if (name !== undefined) shown.add(name);
    }
    const made = calls.filter(({ name }) => !searches.has(name));
    // A request without our tools is one of the host's own: a title, a route.
    const search = tools.find(({ name }) => searches.has(name));
    if (shown.size === 0 && !search) return { text: 'ok' };
    results = made.map(({ result }) => result ?? '');
    const call = script(results);
    if (!call) return { text: 'The script ends.' };
    const id = `call_${randomUUID().replaceAll('-', '')}`;
    const tool = tools.find((one) => nameOf(one) === call.tool) ?? tools.find(({ name }) => name === call.tool);
    const hasSearched = searches.has(calls.at(-1)?.name ?? '');
    if (tool) return { tool, args: call.args, id };
    if (!search || hasSearched) return { text: `The host shows no tool ${call.tool}.` };
    const exact = ours.includes(call.tool) ? `mcp__brokerage__${call.tool}` : call.tool;
    const query = search.name === 'ToolSearch' ? `select:${exact}` : call.tool.replaceAll('_', ' ');
    return { tool: search, args: { query }, id };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    heard.push(body);
    const path = (request.url ?? '').replace(/\?.*/, '');
    const wire = wires.find(({ matches }) => matches(path));
    if (!wire || request.method !== 'POST') {
      response.writeHead(path.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [], models: [] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [name, data] of wire.reply(decide(wire.read(JSON.parse(body))), randomUUID()))
      response.write(
        `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
    response.end();
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results: () => results,
    hasHeard: (words) => heard.some((body) => body.includes(words)),
    tools: () => [...shown].sort(),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
