/**
 * What the owner enrolled: the passphrase (as scrypt), how live orders are approved, and the live limits. It is
 * kept in the store, which no tool reaches; changing any of it needs the passphrase.
 */

import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { serviceName } from '../../broker/service-url.ts';
import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import {
  type ApprovalMethod,
  type LockingChannel,
  lockingChannels,
  type PassphraseChannel,
} from '../../orders/intent/approval-methods.ts';
import type { PassphraseRefusal, WrongPassphrases } from '../../orders/intent/approval-port.ts';
import type { Journal, JournalChange, JournalView } from '../../orders/intent/journal-port.ts';
import type { ConfiguredLimits } from '../../orders/intent/risk-limits.ts';
import type { Environment } from '../../settings/config.ts';
import { isLiveKey, isLiveOrigin, recordLiveOrigin, type Service } from './live-origin-guard.ts';

export interface Enrolment {
  readonly approval: ApprovalMethod;
  readonly limits: ConfiguredLimits;
  readonly enrolledAt: number;
  /** The name of the live service that it was enrolled for; undefined when it was enrolled without one. */
  readonly origin?: string | undefined;
}

/** Its record in the store. */
export interface StoredEnrolment extends Enrolment, KeptAttempts {
  /** Hexadecimal. */
  readonly salt: string;
  readonly hash: string;
  readonly cost: number;
  /** The passkeys of the owner, which end with the passphrase. A feature reads them. */
  readonly passkeys?: readonly object[] | undefined;
}

/** `web` is the login page of clients, with a count of its own: guesses there must not lock the owner out of approving. */
type Channel = PassphraseChannel | LockingChannel;

export type PassphraseCheck = { readonly kind: 'right' } | PassphraseRefusal;

/** Checks and stores the passphrase. Throws `store_unavailable` when the journal cannot be used. */
export interface Security {
  enrolment(): Promise<Enrolment | undefined>;
  /** `seen`: how many wrong passphrases the owner was shown; they are removed from the count after the right one. */
  check(passphrase: string, channel: Channel, seen?: number): Promise<PassphraseCheck>;
  /**
   * The caller must have checked the previous passphrase, if there was one. Another passphrase ends what clients of the web
   * were granted, and the passkeys.
   */
  enrol(enrolment: { passphrase: string; approval: ApprovalMethod; limits: ConfiguredLimits }): Promise<Ended>;
}

/** How much an enrolment ended: grants of web clients, and passkeys. */
export interface Ended {
  readonly clients: number;
  readonly passkeys: number;
}

export const enrolmentRecord = 'security';
/** scrypt's N: about a tenth of a second here, and a hundred years of guessing elsewhere for a fair passphrase. */
const cost = 2 ** 15;

/** What is enrolled; undefined when nothing is. */
export const readEnrolment = async (tx: JournalView): Promise<Enrolment | undefined> =>
  tx.get<StoredEnrolment>(enrolmentRecord);

/** The wrong passphrases that the owner is shown before typing the next one; undefined when there are none. */
export async function readWrongPassphrases(tx: JournalView): Promise<WrongPassphrases | undefined> {
  const kept = await tx.get<StoredEnrolment>(enrolmentRecord);
  return kept && getWrongPassphrases(kept);
}

/** Whether a passkey can approve on some public page. */
export async function hasPasskeys(tx: JournalView): Promise<boolean> {
  const { passkeys = [] } = (await tx.get<StoredEnrolment>(enrolmentRecord)) ?? {};
  return passkeys.length > 0;
}

/** Removes all locks and delays. Part of `resume`, after the right passphrase. */
export async function unlock(tx: JournalChange): Promise<void> {
  const kept = await tx.get<StoredEnrolment>(enrolmentRecord);
  if (kept) await tx.set(enrolmentRecord, { ...kept, ...noAttempts });
}

/** `live` returns the service that is enrolled for, in a live process. */
export function createSecurity(journal: Journal, clock: Clock, live?: () => Service): Security {
  /**
   * A failure is recorded before the passphrase is checked, and removed when it was right. Many parallel guesses
   * then count as much as sequential ones, and killing the process in between gains nothing.
   */
  const reserve = async (channel: Channel) => {
    // Anybody can send guesses to the login page: those that are refused anyway must not keep orders from being written.
    const found = channel === 'web' ? await journal.read((tx) => readAllowed(tx, channel)) : undefined;
    if (found && 'kind' in found) return found;
    return journal.change(async (tx): Promise<StoredEnrolment | PassphraseCheck> => {
      const kept = await readAllowed(tx, channel);
      if ('kind' in kept) return kept;
      const next = withFailure(channel, kept, clock.now());
      await tx.set(enrolmentRecord, next);
      return next;
    });
  };
  /** What is stored; a refusal when no attempt is allowed now. */
  const readAllowed = async (tx: JournalView, channel: Channel): Promise<StoredEnrolment | PassphraseCheck> => {
    const kept = await tx.get<StoredEnrolment>(enrolmentRecord);
    if (!kept) return { kind: 'not_enrolled' };
    if (lockOn(channel, kept) !== undefined) return { kind: 'locked' };
    const waitMs = waitMsOn(channel, kept, clock.now());
    return waitMs > 0 ? { kind: 'too_soon', retryAfterSeconds: Math.ceil(waitMs / 1000) } : kept;
  };

  return {
    enrolment: () => journal.read(readEnrolment),
    check: async (passphrase, channel, seen = 0) => {
      const reserved = await reserve(channel);
      if ('kind' in reserved) return reserved;
      const isRight = await matches(passphrase, reserved);
      return journal.change(async (tx): Promise<PassphraseCheck> => {
        const kept = await tx.get<StoredEnrolment>(enrolmentRecord);
        if (kept?.hash !== reserved.hash) return { kind: 'not_enrolled' };
        if (isRight) {
          const next = withRight(channel, kept, reserved, seen);
          await tx.set(enrolmentRecord, next);
          return lockOn(channel, next) !== undefined ? { kind: 'locked' } : { kind: 'right' };
        }
        await tx.set(enrolmentRecord, withWrong(kept, clock.now()));
        const locked = lockOn(channel, kept) !== undefined;
        const { failures } = attemptsOn(channel, kept);
        await tx.note('all', 'wrong_passphrase', { channel, failures, locked });
        return locked ? { kind: 'locked' } : { kind: 'wrong_passphrase', ...afterWrong(channel, kept) };
      });
    },
    enrol: async ({ passphrase, approval, limits }) => {
      const salt = randomBytes(16).toString('hex');
      const hash = (await derive(passphrase, salt, cost)).toString('hex');
      const enrolledAt = clock.now();
      const known = await journal.read((tx) => tx.get<StoredEnrolment>(enrolmentRecord));
      const isSame = known !== undefined && (await matches(passphrase, known));
      return journal.change(async (tx) => {
        const before = await tx.get<StoredEnrolment>(enrolmentRecord);
        // Wrong passphrases that the owner has not seen yet stay recorded after a new enrolment.
        const wrong = before?.wrong;
        // An enrolment in another environment does not change the live service.
        const origin = live?.().origin ?? before?.origin;
        const stays = isSame && before?.hash === known.hash;
        const made = { salt, hash, cost, approval, limits, enrolledAt, origin };
        const passkeys = stays ? before.passkeys : undefined;
        const kept: StoredEnrolment = { ...made, ...noAttempts, wrong, passkeys };
        await tx.set(enrolmentRecord, kept);
        if (live) await recordLiveOrigin(tx, live());
        // Someone who knew the passphrase before can have connected a client, or added a passkey, with it.
        const ended: Ended = stays
          ? { clients: 0, passkeys: 0 }
          : { clients: await tx.removeGrants(), passkeys: before?.passkeys?.length ?? 0 };
        await tx.note('all', 'enrol', {
          approval,
          limits,
          ...(ended.clients > 0 && { clientsEnded: ended.clients }),
          ...(ended.passkeys > 0 && { passkeysEnded: ended.passkeys }),
        });
        return ended;
      });
    },
  };
}

async function matches(passphrase: string, kept: StoredEnrolment): Promise<boolean> {
  const given = await derive(passphrase, kept.salt, kept.cost);
  return timingSafeEqual(given, Buffer.from(kept.hash, 'hex'));
}

const scryptKey = promisify<Buffer, Buffer, number, ScryptOptions, Buffer>(scrypt);

function derive(passphrase: string, salt: string, n: number): Promise<Buffer> {
  // Keyboards may produce the same passphrase in different normal forms, so it is normalized. It is hashed first,
  // because scrypt treats a passphrase and the same one followed by zero bytes as equal.
  const text = createHash('sha256').update(passphrase.normalize('NFKC')).digest();
  return scryptKey(text, Buffer.from(salt, 'hex'), 32, { N: n, r: 8, p: 1, maxmem: 256 * n * 8 });
}

// Binds the key to the address of the live service that the owner enrolled. Otherwise a variable could send it to another
// host with the first read.

/** Where a process sends the key. */
interface KeyDestination {
  readonly environment: Environment;
  readonly address: string;
  readonly keyHash: string | undefined;
}

/** The enrolled address, if the key must not be sent to the configured one; otherwise undefined. */
export async function findOtherAddress(
  tx: JournalView,
  { environment, address, keyHash }: KeyDestination,
): Promise<string | undefined> {
  const enrolled = (await readEnrolment(tx))?.origin;
  if (enrolled === undefined || enrolled === serviceName(address)) return undefined;
  if (environment === 'live') return enrolled;
  return (await isLiveKey(tx, keyHash)) && !(await isLiveOrigin(tx, address)) ? enrolled : undefined;
}

/** One sentence for a refusal of orders and the error of a request. */
export const describeOtherAddress = (enrolled: string, configured: string): string =>
  `The key is enrolled for ${enrolled}, and this server is set to ${serviceName(configured)}, so the key is not sent.`;

export const otherAddressError = (enrolled: string, configured: string): BrokerageError =>
  new BrokerageError(
    'not_configured',
    describeOtherAddress(enrolled, configured),
    'Correct the base URL. If the service has moved, the owner must run brokerage-mcp enroll in a terminal, which shows both addresses.',
    { problem: 'other_address', enrolled, configured: serviceName(configured) },
  );

// Counts wrong passphrases per channel. Five on the page lock the page, because every process that knows its
// address can guess there, and five on the web lock the login of clients. The terminal only slows down, because others
// must not be able to lock its owner out.

interface Attempts {
  /** Since the last right passphrase on this channel. */
  readonly failures: number;
  readonly lastFailureAt: number;
}

interface LockingAttempts extends Attempts {
  readonly lockedAt?: number | undefined;
}

/** Part of the enrollment's record. Those of the page are at the top. */
export interface KeptAttempts extends LockingAttempts {
  readonly terminal?: Attempts | undefined;
  readonly web?: LockingAttempts | undefined;
  readonly wrong?: { readonly count: number; readonly lastAt: number } | undefined;
}

const maxPageFailures = 5;
const maxDelayMs = 64_000;

/** It names every channel, because what it leaves out would stay locked. */
export const noAttempts: KeptAttempts = {
  failures: 0,
  lastFailureAt: 0,
  lockedAt: undefined,
  terminal: undefined,
  web: undefined,
} satisfies KeptAttempts & Readonly<Record<'lockedAt' | Exclude<Channel, 'page'>, undefined>>;

const noWrong = { count: 0, lastAt: 0 };

/** 2, 4, 8, 16 s after the first, second, … wrong one, up to `maxDelayMs`. */
const delayMs = (failures: number) => (failures === 0 ? 0 : Math.min(1_000 * 2 ** failures, maxDelayMs));

const recordOf = (channel: Channel, kept: KeptAttempts): LockingAttempts =>
  channel === 'page' ? kept : (kept[channel] ?? noAttempts);

/** The failures on a channel. A count that cannot be read is one that locks: it must not allow more guesses. */
const attemptsOn = (channel: Channel, kept: KeptAttempts): Attempts => {
  const { failures, lastFailureAt } = recordOf(channel, kept);
  return Number.isSafeInteger(failures) ? { failures, lastFailureAt } : { failures: maxPageFailures, lastFailureAt };
};

/** When the channel was locked; undefined when it is not. */
const lockOn = (channel: Channel, kept: KeptAttempts): number | undefined =>
  channel === 'terminal' ? undefined : recordOf(channel, kept).lockedAt;

/** What the owner must be shown; undefined when there is nothing. */
export function getWrongPassphrases(kept: KeptAttempts): WrongPassphrases | undefined {
  const { count, lastAt } = kept.wrong ?? noWrong;
  const locked = lockingChannels.filter((channel) => lockOn(channel, kept) !== undefined);
  return count === 0 && locked.length === 0 ? undefined : { count, lastAt, locked };
}

/** Milliseconds until the next attempt on a channel is accepted; 0 when it is accepted now. */
export function waitMsOn(channel: Channel, kept: KeptAttempts, now: number): number {
  const { failures, lastFailureAt } = attemptsOn(channel, kept);
  // A clock that was set back must not lock the owner out for ever.
  return lastFailureAt > now ? 0 : Math.max(0, lastFailureAt + delayMs(failures) - now);
}

/**
 * What follows a wrong passphrase: the attempts left before the lock (undefined: the channel does not lock), and
 * the delay.
 */
export function afterWrong(channel: Channel, kept: KeptAttempts) {
  const { failures } = attemptsOn(channel, kept);
  return {
    attemptsLeft: channel === 'terminal' ? undefined : Math.max(0, maxPageFailures - failures),
    retryAfterSeconds: Math.ceil(delayMs(failures) / 1000),
  };
}

const withRecord = <Kept extends KeptAttempts>(channel: Channel, kept: Kept, record: LockingAttempts): Kept =>
  channel === 'page' ? { ...kept, ...record } : { ...kept, [channel]: record };

/** Adds one failure on a channel, before its passphrase is checked. */
export function withFailure<Kept extends KeptAttempts>(channel: Channel, kept: Kept, now: number): Kept {
  const failed = { failures: attemptsOn(channel, kept).failures + 1, lastFailureAt: now };
  if (channel === 'terminal') return withRecord(channel, kept, failed);
  const before = lockOn(channel, kept);
  const lockedAt = before ?? (failed.failures >= maxPageFailures ? now : undefined);
  return withRecord(channel, kept, lockedAt === undefined ? failed : { ...failed, lockedAt });
}

/** Adds a wrong passphrase to the count that the owner is shown at the next approval. */
export function withWrong<Kept extends KeptAttempts>(kept: Kept, at: number): Kept {
  const { count, lastAt } = kept.wrong ?? noWrong;
  return { ...kept, wrong: { count: count + 1, lastAt: Math.max(at, lastAt) } };
}

/**
 * Removes what `withFailure` wrote into `reserved`, after the right passphrase. In the terminal the right
 * passphrase also removes the locks. Only the wrong ones that were shown (`seen`) leave the count.
 */
export function withRight<Kept extends KeptAttempts>(
  channel: Channel,
  kept: Kept,
  reserved: KeptAttempts,
  seen: number,
): Kept {
  const { count, lastAt } = kept.wrong ?? noWrong;
  const wrong = { count: Math.max(0, count - seen), lastAt };
  if (channel === 'terminal') return { ...kept, ...noAttempts, wrong };
  // This attempt may have set the lock itself; a lock that other attempts set stays.
  const lockedAt = lockOn(channel, kept);
  const own = attemptsOn(channel, reserved);
  const isOwnLock = lockedAt === own.lastFailureAt && attemptsOn(channel, kept).failures === own.failures;
  const record = { failures: 0, lastFailureAt: 0, lockedAt: isOwnLock ? undefined : lockedAt };
  return { ...withRecord(channel, kept, record), wrong };
}
