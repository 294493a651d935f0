/**
 * The rules by which a person approves or rejects what waits, through every channel. What waits is an order or a draft:
 * each says how it is stored, and what its approval is bound to.
 */

import Big from 'big.js';
import type { Clock } from '../clock.ts';
import { approvalInForce, isStrictEnough } from '../orders/halt/trading-state.ts';
import { type ApprovalMethod, isByForm } from '../orders/intent/approval-methods.ts';
import type { Decision, OwnerProof } from '../orders/intent/approval-port.ts';
import type { JournalView } from '../orders/intent/journal-port.ts';
import type { Environment } from '../settings/config.ts';
import type { Security } from './enrollment/enrollment.ts';
import type { TradingSettings } from './enrollment/live-origin-guard.ts';

export type NotWaiting = Extract<Decision, { readonly kind: 'not_waiting' }>;

/** What waits for a person, as one transaction reads it. */
export interface Waiting extends Pick<NotWaiting, 'state'> {
  readonly kind: 'waiting';
  readonly environment: string;
  /** What the owner required when the person was asked. */
  readonly method: ApprovalMethod | 'none';
  readonly askedAt: number;
  /** Whether what is stored is what was shown: `digest`, or undefined where the caller was shown none. */
  isAsShown(digest: string | undefined): Promise<boolean>;
  /** Whether a form was filled in as it asks; undefined where no form can approve this. */
  readonly isFilledIn: ((form: FormFields) => boolean) | undefined;
}

/** What waits, in a transaction that can decide it. Both functions return false when another decision was faster. */
export interface Undecided extends Waiting {
  approve(by: ApprovalMethod, at: number): Promise<boolean>;
  reject(by: ApprovalMethod, at: number, reason: string): Promise<boolean>;
}

/** What a person typed into a form. */
export type FormFields = Readonly<Record<string, unknown>>;

/** Where one kind of approvals is stored. `which` names one of them. */
export interface WaitingStore {
  read<Result>(which: Which, work: (found: Waiting | NotWaiting) => Promise<Result>): Promise<Result>;
  change(which: Which, work: (found: Undecided | NotWaiting, tx: JournalView) => Promise<Decision>): Promise<Decision>;
}

export type Which = { readonly id: string } | { readonly nonce: string };

export interface ApprovalDeps {
  readonly waiting: WaitingStore;
  readonly clock: Clock;
  readonly security: Security;
  readonly settings: Omit<TradingSettings, 'environment'>;
}

/** No person reads a form and responds faster than this, so a faster response is the host's own. */
const fastestPersonMs = 500;

/** A page shows what became of an approval for this long. */
export const shownMs = 24 * 3_600_000;

const changed: Decision = { kind: 'changed' };

/**
 * Approves exactly what was shown, with the owner's passphrase, or with a `proof` in its place. `seen` is how many wrong
 * passphrases were shown with it.
 * Throws `store_unavailable`.
 */
export async function approve(
  deps: ApprovalDeps,
  answer: {
    readonly id: string;
    readonly digest: string;
    readonly passphrase: string;
    readonly proof?: OwnerProof | undefined;
    readonly channel: ApprovalMethod;
    readonly seen?: number | undefined;
  },
): Promise<Decision> {
  const { id, digest, passphrase, proof, channel, seen } = answer;
  const before = await deps.waiting.read({ id }, (found) => check(found, digest));
  if (before.kind !== 'waiting') return before;
  // A form proves less than a page or a terminal, so it never replaces them.
  if (channel === 'elicitation') return late(before.state);
  const checked = await (proof ? proof.check(digest, seen) : deps.security.check(passphrase, channel, seen));
  if (checked.kind !== 'right') return checked;
  return deps.waiting.change({ id }, async (found, tx) => {
    const waits = await check(found, digest);
    if (waits.kind !== 'waiting') return waits;
    // The channel must satisfy both the method required when the person was asked and the one in force here.
    const inForce = await readMethod(deps, waits, tx);
    if (!isStrictEnough(channel, waits.method) || !isStrictEnough(channel, inForce)) return late(waits.state);
    return (await waits.approve(channel, deps.clock.now())) ? { kind: 'approved' } : late(undefined);
  });
}

/** Processes an accepted form. The owner chose this convenience, in which no passphrase is required. */
export const confirm = (deps: ApprovalDeps, nonce: string, form: FormFields): Promise<Decision> =>
  deps.waiting.change({ nonce }, async (found, tx) => {
    const waits = await check(found, undefined);
    if (waits.kind !== 'waiting') return waits;
    // The enrolled method may have become stricter since the form was shown.
    const isEnough = isByForm(waits.method) && isByForm(await readMethod(deps, waits, tx));
    if (!isEnough || !waits.isFilledIn) return late(waits.state);
    if (!waits.isFilledIn(form)) return changed;
    return (await waits.approve('elicitation', deps.clock.now())) ? { kind: 'approved' } : late(undefined);
  });

/** Rejects what waits. It needs no passphrase, and no digest: what has changed since can be rejected too. */
export const reject = (deps: ApprovalDeps, which: Which, channel: ApprovalMethod): Promise<Decision> =>
  deps.waiting.change(which, async (found) => {
    if (found.kind !== 'waiting') return found;
    const now = deps.clock.now();
    const reason = isByForm(channel) ? describeDeclinedForm(now - found.askedAt) : describeHuman('Rejected', channel);
    return (await found.reject(channel, now, reason)) ? { kind: 'rejected' } : late(undefined);
  });

const places: Readonly<Record<ApprovalMethod, string>> = {
  page: 'on the page',
  terminal: 'in a terminal',
  elicitation: 'in a form of the host',
};

/** What a person did, and where, for every reader of a report. */
export const describeHuman = (what: string, channel: ApprovalMethod): string =>
  `${what} by a person, ${places[channel]}.`;

/** What was found, if it waits and is what was shown; otherwise why it cannot be approved. */
async function check<Found extends Waiting>(
  found: Found | NotWaiting,
  digest: string | undefined,
): Promise<Found | Decision> {
  return found.kind === 'waiting' && !(await found.isAsShown(digest)) ? changed : found;
}

const late = (state: NotWaiting['state']): NotWaiting => ({ kind: 'not_waiting', state });

const readMethod = ({ settings }: ApprovalDeps, { environment }: Waiting, tx: JournalView) =>
  approvalInForce({ ...settings, environment: environment as Environment }, tx);

const describeDeclinedForm = (afterMs: number): string =>
  afterMs < fastestPersonMs
    ? 'The response came faster than a person can read: this host responds to forms automatically.'
    : 'The form was declined in the host.';

/** Whether a string is the same number. An empty response, which some hosts give automatically, is not. */
export function isSameDecimal(given: unknown, wanted: string): boolean {
  if (typeof given !== 'string' || !/^\d{1,20}(\.\d{1,20})?$/.test(given.trim())) return false;
  return new Big(given.trim()).eq(wanted);
}
