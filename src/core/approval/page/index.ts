/** The approval page, on this machine's loopback address. A person approves or rejects an order or a draft on it. */
import type { Clock } from '../../clock.ts';
import { decisionFailed, getTicketPath, replyForTicket } from './page-handlers.ts';
import { type PageServer, startPageServer } from './page-server.ts';
import type { FindSubject } from './subject.ts';

/** The running server of the page. */
export interface ApprovalPage extends PageServer {
  /** The address of a ticket. It reveals nothing but the random handle. */
  getUrl(handle: string): string;
}

/** Starts the server of the page on a free port of 127.0.0.1, and resolves when it listens. */
export async function startApprovalPage(deps: {
  subjects: readonly FindSubject[];
  clock: Clock;
}): Promise<ApprovalPage> {
  const { subjects, clock } = deps;
  const server = await startPageServer({
    name: 'approval',
    clock,
    respond: (page, request) => replyForTicket({ ...page, subjects }, request),
    whenFailed: decisionFailed,
  });
  return { ...server, getUrl: (handle) => server.origin + getTicketPath(handle) };
}
