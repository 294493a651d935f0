/**
 * What the owner enrolled: the passphrase (as scrypt), how live orders are approved, and the live
 * limits. It lives in the store, which no tool reaches; changing any of it needs the passphrase.
 */
import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { ApprovalMethod } from './approval-port.ts';
import { rememberLive } from './live-service.ts';
import type { Journal, JournalChange, JournalView } from './ports.ts';
import type { ConfiguredLimits } from './risk-limits.ts';

export interface Enrolment {
  readonly approval: ApprovalMethod;
  readonly limits: ConfiguredLimits;
  readonly enrolledAt: number;
}

interface Kept extends Enrolment {
  /** Hexadecimal. */
  readonly salt: string;
  readonly hash: string;
  readonly cost: number;
  /** Wrong passphrases since the last right one. */
  readonly failures: number;
  readonly lastFailureAt: number;
  /** Live trading is locked until `resume`. */
  readonly lockedAt?: number | undefined;
}

export type PassphraseCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'not_enrolled' }
  | { readonly kind: 'wrong_passphrase'; readonly attemptsLeft: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'too_soon'; readonly retryAfterSeconds: number }
  | { readonly kind: 'locked' };

export interface Security {
  enrolment(): Promise<Enrolment | undefined>;
  /** `forResume` looks at the passphrase although live trading is locked. */
  check(passphrase: string, options?: { readonly forResume?: boolean }): Promise<PassphraseCheck>;
  /** The caller has checked the passphrase that was in force before, if there was one. */
  enrol(enrolment: { passphrase: string; approval: ApprovalMethod; limits: ConfiguredLimits }): Promise<void>;
}

const recordName = 'security';
export const shortestPassphrase = 8;
const mostFailures = 5;
/** scrypt's N: about a tenth of a second here, and a hundred years of guessing elsewhere for a fair passphrase. */
const cost = 2 ** 15;

/** 2, 4, 8, 16 s after the first, second, … wrong one. */
const delayMs = (failures: number) => (failures === 0 ? 0 : 1_000 * 2 ** Math.min(failures, 10));

export const readEnrolment = async (tx: JournalView): Promise<Enrolment | undefined> => tx.get<Kept>(recordName);

export const isLocked = async (tx: JournalView): Promise<boolean> =>
  (await tx.get<Kept>(recordName))?.lockedAt !== undefined;

/** Part of `resume`, after the passphrase was right. */
export async function unlock(tx: JournalChange): Promise<void> {
  const kept = await tx.get<Kept>(recordName);
  if (kept) await tx.set(recordName, { ...kept, failures: 0, lastFailureAt: 0, lockedAt: undefined });
}

/** `liveOrigin`: where the service is that is enrolled for, when this is a live process. */
export function createSecurity(journal: Journal, clock: Clock, liveOrigin?: string): Security {
  /**
   * A failure is written before the passphrase is looked at and taken back when it was right, so that
   * many guesses at once are no more than one after the other, and a kill in between gains nothing.
   */
  const reserve = (forResume: boolean) =>
    journal.change(async (tx): Promise<Kept | PassphraseCheck> => {
      const kept = await tx.get<Kept>(recordName);
      if (!kept) return { kind: 'not_enrolled' };
      if (kept.lockedAt !== undefined && !forResume) return { kind: 'locked' };
      const now = clock.now();
      const waitMs = kept.lastFailureAt + delayMs(kept.failures) - now;
      // A clock that was set back must not lock the owner out for ever.
      if (waitMs > 0 && kept.lastFailureAt <= now)
        return { kind: 'too_soon', retryAfterSeconds: Math.ceil(waitMs / 1000) };
      const failures = kept.failures + 1;
      const locks = failures >= mostFailures && kept.lockedAt === undefined;
      const next: Kept = { ...kept, failures, lastFailureAt: now, ...(locks ? { lockedAt: now } : {}) };
      await tx.set(recordName, next);
      return next;
    });

  return {
    enrolment: () => journal.read(readEnrolment),
    check: async (passphrase, { forResume = false } = {}) => {
      const reserved = await reserve(forResume);
      if ('kind' in reserved) return reserved;
      const isRight = await matches(passphrase, reserved);
      return journal.change(async (tx): Promise<PassphraseCheck> => {
        const kept = await tx.get<Kept>(recordName);
        if (!kept || kept.hash !== reserved.hash) return { kind: 'not_enrolled' };
        if (isRight) {
          // This very attempt may have set the lock; one that others set stays until `resume`.
          const ownLock = kept.lockedAt === reserved.lastFailureAt && kept.failures === reserved.failures;
          const lockedAt = ownLock && !forResume ? undefined : kept.lockedAt;
          await tx.set(recordName, { ...kept, failures: 0, lastFailureAt: 0, lockedAt });
          return lockedAt !== undefined && !forResume ? { kind: 'locked' } : { kind: 'right' };
        }
        await tx.note('all', 'wrong_passphrase', { failures: kept.failures, locked: kept.lockedAt !== undefined });
        if (kept.lockedAt !== undefined) return { kind: 'locked' };
        return {
          kind: 'wrong_passphrase',
          attemptsLeft: Math.max(0, mostFailures - kept.failures),
          retryAfterSeconds: Math.ceil(delayMs(kept.failures) / 1000),
        };
      });
    },
    enrol: async ({ passphrase, approval, limits }) => {
      const salt = randomBytes(16).toString('hex');
      const hash = (await derive(passphrase, salt, cost)).toString('hex');
      const enrolledAt = clock.now();
      const kept: Kept = { salt, hash, cost, approval, limits, enrolledAt, failures: 0, lastFailureAt: 0 };
      await journal.change(async (tx) => {
        await tx.set(recordName, kept);
        if (liveOrigin !== undefined) await rememberLive(tx, { origin: liveOrigin });
        await tx.note('all', 'enrol', { approval, limits });
      });
    },
  };
}

async function matches(passphrase: string, kept: Kept): Promise<boolean> {
  const given = await derive(passphrase, kept.salt, kept.cost);
  return timingSafeEqual(given, Buffer.from(kept.hash, 'hex'));
}

const derive = (passphrase: string, salt: string, n: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same passphrase typed on another keyboard may come in another normal form. Hashed first, because
    // scrypt takes a passphrase with zero bytes behind it for the same one.
    const text = createHash('sha256').update(passphrase.normalize('NFKC')).digest();
    scrypt(text, Buffer.from(salt, 'hex'), 32, { N: n, r: 8, p: 1, maxmem: 256 * n * 8 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
