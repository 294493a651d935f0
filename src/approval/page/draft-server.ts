/** The page on which a person edits one draft, on this machine's loopback address. It can send nothing. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Clock } from '../../clock.ts';
import type { SheetDeps } from '../../drafting/draft-sheet.ts';
import { createCsrf } from './csrf.ts';
import { draftFailed, replyForDraft } from './draft-handlers.ts';
import { createOneTimeAddresses } from './one-time.ts';
import { getOpenPath } from './page-handlers.ts';
import { createPageServer } from './page-server.ts';

/** The running server of the page. */
export interface ServedDraft {
  readonly origin: string;
  /** An address that works in the first browser that opens it. */
  createAddress(): string;
  /** Closes immediately, including open connections. */
  close(): Promise<void>;
}

/**
 * Starts a server for one draft on a free port of 127.0.0.1, and resolves when it listens. Its addresses can be opened
 * for `lifeMs`.
 */
export async function startDraftPage(deps: {
  readonly draftId: string;
  readonly services: SheetDeps;
  readonly clock: Clock;
  readonly lifeMs: number;
}): Promise<ServedDraft> {
  const { draftId, services, clock, lifeMs } = deps;
  const csrf = createCsrf();
  const oneTime = createOneTimeAddresses(clock, lifeMs);
  const handle = randomBytes(24).toString('base64url');
  const ending = new AbortController();
  let port = 0;
  const place = () => ({
    origin: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    cookieName: `draft-${port}`,
  });
  const server = createPageServer(
    (request, trust) =>
      replyForDraft({ ...place(), draftId, handle, services, csrf, oneTime, signal: ending.signal, trust }, request),
    draftFailed,
    clock,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address) port = address.port;
  const { origin } = place();
  return {
    origin,
    createAddress: () => origin + getOpenPath(oneTime.create(handle)),
    close: () =>
      new Promise((resolve) => {
        ending.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
