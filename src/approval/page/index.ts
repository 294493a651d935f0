/** The approval page, on this machine's loopback address. A person approves or rejects an order or a draft on it. */
import { once } from 'node:events';
import type { Clock } from '../../clock.ts';
import type { Approvals } from '../../orders/intent/approval-port.ts';
import { createCsrf } from './csrf.ts';
import { createOneTimeAddresses } from './one-time.ts';
import { getOpenPath, getTicketPath } from './page-handlers.ts';
import { createApprovalServer } from './page-server.ts';
import type { PlanDecisions } from './plan-handlers.ts';

/** The running server of the page. */
export interface ApprovalPage {
  readonly origin: string;
  /** The address of a ticket. It reveals nothing but the random handle. */
  getUrl(handle: string): string;
  /** An address for the arguments of the program that opens a browser. It leads to the ticket once. */
  createOneTimeUrl(handle: string): string;
  /** Closes immediately, including open connections. */
  close(): Promise<void>;
}

/** Starts the server of the page on a free port of 127.0.0.1, and resolves when it listens. */
export async function startApprovalPage(deps: {
  approvals: Approvals;
  plans: PlanDecisions;
  clock: Clock;
}): Promise<ApprovalPage> {
  const csrf = createCsrf();
  const oneTime = createOneTimeAddresses(deps.clock);
  let port = 0;
  const parts = () => ({
    approvals: deps.approvals,
    plans: deps.plans,
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
