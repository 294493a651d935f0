/** A connection to PostgreSQL that can be watched: the database can be killed in the middle of a chosen commit. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `before`: the database never receives the COMMIT. `after`: it commits, and its response is lost. */
type CommitMoment = 'before' | 'after';

interface Trap {
  readonly moment: CommitMoment;
  /** Whether a transaction with these messages of the client is the one. */
  readonly matches: (messages: string) => boolean;
  readonly kill: () => Promise<void>;
  readonly sprung: () => void;
}

export interface CommitProxy {
  /** The address of the database behind the proxy. */
  readonly url: string;
  /** Kills the database at the commit of the next transaction that matches; resolves when it is dead. */
  killAtCommit(moment: CommitMoment, matches: Trap['matches'], kill: Trap['kill']): Promise<void>;
  close(): Promise<void>;
}

const hasCommit = (text: string): boolean => text.includes('COMMIT\0');

/** Listens on a port of its own and passes everything on. */
export async function startCommitProxy(database: string): Promise<CommitProxy> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let trap: Trap | undefined;
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const spring = (taken: Trap): void => {
    trap = undefined;
    void taken.kill().then(() => {
      dropAll();
      taken.sprung();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let messages = '';
    let held: Trap | undefined;
    let isLost = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      // Each transaction begins with one message that names its isolation level.
      messages = text.includes('BEGIN ISOLATION') ? text : messages + text;
      const taken = trap && hasCommit(text) && trap.matches(messages) ? trap : undefined;
      if (taken?.moment === 'before') return spring(taken);
      if (taken) {
        held = taken;
        trap = undefined;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      // The response to the COMMIT, in one part or several: it is done, and its sender never learns it.
      if (held && !isLost) spring(held);
      isLost ||= held !== undefined;
      if (!isLost) client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(database);
  address.port = String((server.address() as AddressInfo).port);
  return {
    url: address.href,
    killAtCommit: (moment, matches, kill) =>
      new Promise((sprung) => {
        trap = { moment, matches, kill, sprung };
      }),
    close: async () => {
      dropAll();
      server.close();
      await once(server, 'close');
    },
  };
}
