/** Opens the listening socket, and explains to the user why it cannot. */
import type { Server } from 'node:http';
import { UsageError } from '../errors.ts';

export interface ListenResult {
  /** The port in use, also when 0 was requested. */
  readonly port: number;
  /** Whether only programs of this machine can reach it. */
  readonly isLoopback: boolean;
}

export function listen(server: Server, { host, port }: { host: string; port: number }): Promise<ListenResult> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new UsageError(explain(error, `${host}:${port}`)));
    server.once('error', fail);
    // Node expects an IPv6 address without its brackets.
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port, backlog }, () => {
      server.off('error', fail);
      const at = server.address();
      if (at === null || typeof at === 'string') return reject(new Error('The server is not listening.'));
      resolve({ port: at.port, isLoopback: /^(::ffff:)?127\.|^::1$/.test(at.address) });
    });
  });
}

/** With a shorter backlog, a burst of connections makes clients wait a second before they try again. */
const backlog = 2_048;

function explain({ code }: NodeJS.ErrnoException, where: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program; choose another port, or port 0 for any free one.`;
    case 'EACCES':
      return `this user is not allowed to listen at ${where}; choose a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${where} is not an address of this machine; use 127.0.0.1 to accept connections from this machine only, or 0.0.0.0 to listen on all its addresses.`;
    default:
      return `cannot listen at ${where} (${code}).`;
  }
}
