/**
 * Counts wrong passphrases per channel. Five on the page lock the page, because every process that knows its
 * address can guess there. The terminal only slows down, because others must not be able to lock its owner out.
 */
import type { WrongPassphrases } from '../../orders/intent/approval-port.ts';

/** The channel on which a passphrase is typed. */
export type PassphraseChannel = 'page' | 'terminal';

interface Attempts {
  /** Since the last right passphrase on this channel. */
  readonly failures: number;
  readonly lastFailureAt: number;
}

/** Part of the enrollment's record. */
export interface KeptAttempts extends Attempts {
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

const noWrong = { count: 0, lastAt: 0 };

/** 2, 4, 8, 16 s after the first, second, … wrong one, up to `maxDelayMs`. */
const delayMs = (failures: number) => (failures === 0 ? 0 : Math.min(1_000 * 2 ** failures, maxDelayMs));

/** The failures on a channel. A count that cannot be read is one that locks: it must not allow more guesses. */
export const attemptsOn = (channel: PassphraseChannel, kept: KeptAttempts): Attempts => {
  const { failures, lastFailureAt } = channel === 'page' ? kept : (kept.terminal ?? noAttempts);
  return Number.isSafeInteger(failures) ? { failures, lastFailureAt } : { failures: maxPageFailures, lastFailureAt };
};

/** What the owner must be shown; undefined when there is nothing. */
export function getWrongPassphrases(kept: KeptAttempts): WrongPassphrases | undefined {
  const { count, lastAt } = kept.wrong ?? noWrong;
  const isPageLocked = kept.lockedAt !== undefined;
  return count > 0 || isPageLocked ? { count, lastAt, isPageLocked } : undefined;
}

/** Milliseconds until the next attempt on a channel is accepted; 0 when it is accepted now. */
export function waitMsOn(channel: PassphraseChannel, kept: KeptAttempts, now: number): number {
  const { failures, lastFailureAt } = attemptsOn(channel, kept);
  // A clock that was set back must not lock the owner out for ever.
  return lastFailureAt > now ? 0 : Math.max(0, lastFailureAt + delayMs(failures) - now);
}

/**
 * What follows a wrong passphrase: the attempts left before the lock (undefined: the channel does not lock), and
 * the delay.
 */
export function afterWrong(channel: PassphraseChannel, kept: KeptAttempts) {
  const { failures } = attemptsOn(channel, kept);
  return {
    attemptsLeft: channel === 'page' ? Math.max(0, maxPageFailures - failures) : undefined,
    retryAfterSeconds: Math.ceil(delayMs(failures) / 1000),
  };
}

/** Adds one failure on a channel, before its passphrase is checked. */
export function withFailure<Kept extends KeptAttempts>(channel: PassphraseChannel, kept: Kept, now: number): Kept {
  const failed = { failures: attemptsOn(channel, kept).failures + 1, lastFailureAt: now };
  if (channel === 'terminal') return { ...kept, terminal: failed };
  const locks = failed.failures >= maxPageFailures && kept.lockedAt === undefined;
  return { ...kept, ...failed, ...(locks ? { lockedAt: now } : {}) };
}

/** Adds a wrong passphrase to the count that the owner is shown at the next approval. */
export function withWrong<Kept extends KeptAttempts>(kept: Kept, at: number): Kept {
  const { count, lastAt } = kept.wrong ?? noWrong;
  return { ...kept, wrong: { count: count + 1, lastAt: Math.max(at, lastAt) } };
}

/**
 * Removes what `withFailure` wrote into `reserved`, after the right passphrase. In the terminal the right
 * passphrase also removes the lock. Only the wrong ones that were shown (`seen`) leave the count.
 */
export function withRight<Kept extends KeptAttempts>(
  channel: PassphraseChannel,
  kept: Kept,
  reserved: KeptAttempts,
  seen: number,
): Kept {
  const { count, lastAt } = kept.wrong ?? noWrong;
  const wrong = { count: Math.max(0, count - seen), lastAt };
  if (channel === 'terminal') return { ...kept, ...noAttempts, wrong };
  // This attempt may have set the lock itself; a lock that other attempts set stays.
  const isOwnLock = kept.lockedAt === reserved.lastFailureAt && kept.failures === reserved.failures;
  return { ...kept, failures: 0, lastFailureAt: 0, lockedAt: isOwnLock ? undefined : kept.lockedAt, wrong };
}
