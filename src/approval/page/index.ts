/** The approval page: a page on this machine's loopback address, on which a person answers for one live order. */
import { once } from 'node:events';
import type { Clock } from '../../clock.ts';
import type { Approvals } from '../../orders/intent/approval-port.ts';
import { createCsrf } from './csrf.ts';
import { createOneTimeAddresses } from './one-time.ts';
import { getOpenPath, getTicketPath } from './page-handlers.ts';
import { createApprovalServer } from './page-server.ts';

export interface ApprovalPage {
  readonly origin: string;
  /** Where a person finds the ticket; the random handle is all that it tells. */
  getUrl(handle: string): string;
  /** For the arguments of the program that opens a browser: it leads to the ticket once. */
  createOneTimeUrl(handle: string): string;
  /** Ends at once, open connections too. */
  close(): Promise<void>;
}

export async function startApprovalPage(deps: { approvals: Approvals; clock: Clock }): Promise<ApprovalPage> {
  const csrf = createCsrf();
  const oneTime = createOneTimeAddresses(deps.clock);
  let port = 0;
  const parts = () => ({
    approvals: deps.approvals,
    csrf,
    oneTime,
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    cookieName: `approval-${port}`,
  });
  const server = createApprovalServer(parts, deps.clock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address) port = address.port;
  const { origin } = parts();
  return {
    origin,
    getUrl: (handle) => origin + getTicketPath(handle),
    createOneTimeUrl: (handle) => origin + getOpenPath(oneTime.create(handle)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
