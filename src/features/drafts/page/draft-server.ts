/** The page on which a person edits one draft, on this machine's loopback address. It can send nothing. */
import { randomBytes } from 'node:crypto';
import { startPageServer } from '../../../core/approval/page/page-server.ts';
import type { Clock } from '../../../core/clock.ts';
import type { SheetDeps } from '../draft-sheet.ts';
import { draftFailed, replyForDraft } from './draft-handlers.ts';

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
  const handle = randomBytes(24).toString('base64url');
  const ending = new AbortController();
  const server = await startPageServer({
    name: 'draft',
    clock,
    lifeMs,
    respond: (page, request) => replyForDraft({ ...page, draftId, handle, services, signal: ending.signal }, request),
    whenFailed: draftFailed,
  });
  return {
    origin: server.origin,
    createAddress: () => server.createOneTimeUrl(handle),
    close: () => {
      ending.abort();
      return server.close();
    },
  };
}
