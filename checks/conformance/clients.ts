/** Clients by other authors, each loaded from where npm has put it, and connected in its own way. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Peer } from './client-scenario.ts';
import type { HttpProcess, Launch } from './launch.ts';
import { aiSdk, aliasOf, currentClient, olderSdk } from './versions.ts';

export interface Connected {
  readonly peer: Peer;
  /** The revision that both sides agreed on. */
  readonly revision: string;
  close(): Promise<void>;
}

export interface OneClient {
  readonly name: string;
  readonly version: string;
  /** The protocol mode that was set, for a client that has such a setting. */
  readonly mode?: string;
  /** It treats a response after a second as missing, and uses an older revision: it runs without others beside it. */
  readonly isHasty?: boolean;
  readonly overStdio: (launch: Launch) => Promise<Connected>;
  /** Left out where that client cannot. */
  readonly overHttp?: (server: Pick<HttpProcess, 'url' | 'headers'>) => Promise<Connected>;
}

// biome-ignore lint/suspicious/noExplicitAny: modules of a dozen versions, none of which has types here.
type Loaded = any;

/** Every client, from the packages below `folder`. Nothing is loaded before it is connected. */
export function allClients(folder: string): readonly OneClient[] {
  const load = (path: string): Promise<Loaded> => import(pathToFileURL(join(folder, 'node_modules', path)).href);
  return [
    ...olderSdk.versions.map((version) => olderClient(version, (path) => load(`${aliasOf(version)}/dist/esm/${path}`))),
    ...(['legacy', 'auto'] as const).map((mode) => newerClient(mode, (path) => load(`${currentClient.name}/${path}`))),
    otherClient((path) => load(`${aiSdk.name}/dist/${path}`)),
  ];
}

type Load = (path: string) => Promise<Loaded>;

const self = { name: 'conformance', version: '1' };

const stdioOf = ({ command, args, env }: Launch) => ({ command, args: [...args], env: { ...env } });

function olderClient(version: string, load: Load): OneClient {
  const connect = async (transport: Loaded): Promise<Connected> => {
    const { Client } = await load('client/index.js');
    const client = new Client(self, { capabilities: {} });
    const heard = listen(transport);
    try {
      await client.connect(transport);
    } catch (error) {
      await transport.close();
      throw error;
    }
    const { asked, answered } = heard();
    // The product speaks every revision, so each client gets the one that it requests.
    if (asked !== answered) throw new Error(`It asked for ${asked} and was answered ${answered}.`);
    return { peer: client, revision: answered, close: () => client.close() };
  };
  const overHttp: OneClient['overHttp'] = async ({ url, headers }) => {
    const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
    return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  };
  const { versions, firstOverHttp } = olderSdk;
  const canHttp = versions.indexOf(version as never) >= versions.indexOf(firstOverHttp);
  return {
    name: olderSdk.name,
    version,
    overStdio: async (launch) => {
      const { StdioClientTransport } = await load('client/stdio.js');
      return connect(new StdioClientTransport(stdioOf(launch)));
    },
    ...(canHttp ? { overHttp } : {}),
  };
}

/** Which revision was requested and which was returned: not every version reports it. */
function listen(transport: Loaded): () => { asked: string; answered: string } {
  const heard = { asked: '', answered: '' };
  const send = transport.send.bind(transport);
  transport.send = (message: Loaded, options: unknown) => {
    if (message.method === 'initialize') heard.asked = message.params.protocolVersion;
    return send(message, options);
  };
  let handler: ((message: Loaded, ...more: unknown[]) => void) | undefined;
  Object.defineProperty(transport, 'onmessage', {
    get: () => handler,
    set: (given) => {
      handler = (message, ...more) => {
        if (message.result?.protocolVersion) heard.answered = message.result.protocolVersion;
        given(message, ...more);
      };
    },
  });
  return () => heard;
}

function newerClient(mode: 'legacy' | 'auto', load: Load): OneClient {
  const connect = async (transport: Loaded): Promise<Connected> => {
    const { Client } = await load('dist/index.mjs');
    const client = new Client(self, { versionNegotiation: { mode } });
    await client.connect(transport);
    return { peer: client, revision: client.getNegotiatedProtocolVersion(), close: () => client.close() };
  };
  return {
    ...currentClient,
    mode,
    overStdio: async (launch) => {
      const { StdioClientTransport } = await load('dist/stdio.mjs');
      return connect(new StdioClientTransport(stdioOf(launch)));
    },
    overHttp: async ({ url, headers }) => {
      const { StreamableHTTPClientTransport } = await load('dist/index.mjs');
      return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    },
  };
}

function otherClient(load: Load): OneClient {
  const connect = async (transport: Loaded): Promise<Connected> => {
    const { createMCPClient } = await load('index.js');
    const client = await createMCPClient({ transport });
    return { peer: client, revision: client.initializeResult.protocolVersion, close: () => client.close() };
  };
  return {
    ...aiSdk,
    isHasty: true,
    overStdio: async (launch) => {
      const { StdioMCPTransport } = await load('mcp-stdio/index.js');
      return connect(new StdioMCPTransport(stdioOf(launch)));
    },
    overHttp: ({ url, headers }) => connect({ type: 'http', url, headers }),
  };
}
