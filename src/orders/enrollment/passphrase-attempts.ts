/**
 * Wrong passphrases, counted for each channel. Five on the page lock the page: whoever has its address can
 * guess there. The terminal only slows down: its owner must not be locked out by others.
 */
import type { WrongPassphrases } from '../intent/approval-port.ts';

/** Where a passphrase is typed. */
export type PassphraseChannel = 'page' | 'terminal';

interface Attempts {
  /** Since the last right one on this channel. */
  readonly failures: number;
  readonly lastFailureAt: number;
}

/** Part of the row of what was enrolled. */
export interface KeptAttempts extends Attempts {
  // The three of the page have the names that all channels shared in 0.1.0: a process of that version on the
  // same store goes on counting and sees the lock.
  readonly lockedAt?: number | undefined;
  readonly terminal?: Attempts | undefined;
  readonly wrong?: { readonly count: number; readonly lastAt: number } | undefined;
}

const maxPageFailures = 5;
const maxDelayMs = 64_000;

export const noAttempts: KeptAttempts = {
  failures: 0,
  lastFailureAt: 0,
  lockedAt: undefined,
  terminal: undefined,
};

/** 2, 4, 8, 16 s after the first, second, … wrong one, and never more than about a minute. */
const delayMs = (failures: number) => (failures === 0 ? 0 : Math.min(1_000 * 2 ** failures, maxDelayMs));

const attemptsOn = (channel: PassphraseChannel, kept: KeptAttempts): Attempts =>
  channel === 'page' ? kept : (kept.terminal ?? { failures: 0, lastFailureAt: 0 });

/** Undefined when there is nothing to tell the owner. */
export function getWrongPassphrases(kept: KeptAttempts): WrongPassphrases | undefined {
  // A row of 0.1.0 counted nothing else.
  const { count, lastAt } = kept.wrong ?? { count: kept.failures, lastAt: kept.lastFailureAt };
  const isPageLocked = kept.lockedAt !== undefined;
  return count > 0 || isPageLocked ? { count, lastAt, isPageLocked } : undefined;
}

/** Milliseconds until the next attempt on a channel is looked at; 0 when it is now. */
export function waitMsOn(channel: PassphraseChannel, kept: KeptAttempts, now: number): number {
  const { failures, lastFailureAt } = attemptsOn(channel, kept);
  // A clock that was set back must not lock the owner out for ever.
  return lastFailureAt > now ? 0 : Math.max(0, lastFailureAt + delayMs(failures) - now);
}

/** How it goes on after a wrong one: attempts before the lock (undefined: no lock there), and the wait. */
export function afterWrong(channel: PassphraseChannel, kept: KeptAttempts) {
  const { failures } = attemptsOn(channel, kept);
  return {
    attemptsLeft: channel === 'page' ? Math.max(0, maxPageFailures - failures) : undefined,
    retryAfterSeconds: Math.ceil(delayMs(failures) / 1000),
  };
}

/** One failure more on a channel, before its passphrase is looked at. */
export function withFailure<Kept extends KeptAttempts>(channel: PassphraseChannel, kept: Kept, now: number): Kept {
  const failed = { failures: attemptsOn(channel, kept).failures + 1, lastFailureAt: now };
  if (channel === 'terminal') return { ...kept, terminal: failed };
  const locks = failed.failures >= maxPageFailures && kept.lockedAt === undefined;
  return { ...kept, ...failed, ...(locks ? { lockedAt: now } : {}) };
}

/** Before the attempt that is being looked at, whose failure is in the row already. A row of 0.1.0 has no other count. */
const wrongBefore = ({ wrong, failures, lastFailureAt, terminal }: KeptAttempts) =>
  wrong ?? { count: Math.max(0, failures + (terminal?.failures ?? 0) - 1), lastAt: lastFailureAt };

/** After a wrong one: what the owner is shown at the next approval. */
export function withWrong<Kept extends KeptAttempts>(kept: Kept, at: number): Kept {
  const { count, lastAt } = wrongBefore(kept);
  return { ...kept, wrong: { count: count + 1, lastAt: Math.max(at, lastAt) } };
}

/**
 * After the right one: takes back what `withFailure` wrote into `reserved`. The terminal lifts the lock too.
 * Of the wrong ones only those that were on the screen (`seen`) are forgotten.
 */
export function withRight<Kept extends KeptAttempts>(
  channel: PassphraseChannel,
  kept: Kept,
  reserved: KeptAttempts,
  seen: number,
): Kept {
  const { count, lastAt } = wrongBefore(kept);
  const wrong = { count: Math.max(0, count - seen), lastAt };
  if (channel === 'terminal') return { ...kept, ...noAttempts, wrong };
  // This very attempt may have set the lock; one that others set stays.
  const isOwnLock = kept.lockedAt === reserved.lastFailureAt && kept.failures === reserved.failures;
  return { ...kept, failures: 0, lastFailureAt: 0, lockedAt: isOwnLock ? undefined : kept.lockedAt, wrong };
}
