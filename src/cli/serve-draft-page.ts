import { type Clock, systemClock } from '../core/clock.ts';
import { BrokerageError, ignoreAbort } from '../core/errors.ts';
import { createBrowserOpener } from '../core/process/open-browser.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { readDraft } from '../features/drafts/book/list-drafts.ts';
import { isEndedPhase } from '../features/drafts/draft-sheet.ts';
import { startDraftPage } from '../features/drafts/page/draft-server.ts';
import { describeDraftState, reportLatest } from '../features/drafts/submission/describe-submission.ts';
import type { CommandContext } from './with-app.ts';

/** Milliseconds after which a forgotten page ends. */
const maxServeMs = 60 * 60_000;
/** Milliseconds that the page of a draft that ended stays, so that the browser can show how it ended. */
const afterEndMs = 30_000;
const pollIntervalMs = 1_000;

/**
 * Serves the page of a draft and opens it in the browser, until Ctrl+C, until the draft has ended, and at most for an
 * hour. Returns the exit code. Throws `not_found`.
 */
export async function serveDraftPage(
  parts: CommandContext,
  draftId: string,
  terminal: ProcessContext,
): Promise<number> {
  const { services } = parts;
  await readDraft(services.drafts, draftId);
  const served = await startDraftPage({ draftId, services, clock: systemClock, lifeMs: maxServeMs });
  try {
    terminal.print(`Page of the draft: ${served.createAddress()}`);
    terminal.warn('The address works in the first browser that opens it. Ctrl+C ends the page; it sends no order.');
    createBrowserOpener(terminal.platform, terminal.env)?.(served.createAddress());
    const hasDraftEnded = () => hasEnded(parts, draftId);
    terminal.warn(await waitForEnd(hasDraftEnded, systemClock, terminal.shutdownSignal));
    return 0;
  } finally {
    await served.close();
  }
}

/** Waits until the page is no longer needed, and returns why. */
export async function waitForEnd(
  hasDraftEnded: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  const until = clock.now() + maxServeMs;
  let endedAt: number | undefined;
  while (clock.now() < until) {
    if (signal.aborted) return 'The page has ended.';
    const now = clock.now();
    endedAt = (await hasDraftEnded()) ? (endedAt ?? now) : undefined;
    if (endedAt !== undefined && now >= endedAt + afterEndMs) return 'The draft has ended, and so has its page.';
    await clock.sleep(pollIntervalMs, signal).catch(ignoreAbort);
  }
  return 'The page has ended after an hour. Run the command again to go on.';
}

/** Whether nothing of the draft can be changed or stopped any more. */
export async function hasEnded(
  { services: { drafts } }: { readonly services: Pick<CommandContext['services'], 'drafts'> },
  draftId: string,
): Promise<boolean> {
  try {
    const { draft } = await readDraft(drafts, draftId);
    return isEndedPhase(describeDraftState(draft, await reportLatest(drafts, draftId, 'person'), systemClock.now()));
  } catch (error) {
    // A store that is busy does not end the page.
    if (error instanceof BrokerageError) return error.code === 'not_found';
    throw error;
  }
}
