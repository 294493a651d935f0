/**
 * Whether orders can be placed at all, and if not, why: the approval and the limits in force, and the halt. The order
 * manager and the status use the same functions.
 */
import { describeOtherAddress, findOtherAddress, readEnrolment } from '../../approval/enrollment/enrollment.ts';
import { liveOriginRefusal, type TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import { dayMs, isWithin } from '../../clock.ts';
import { toWords } from '../../text/count-of.ts';
import type { SayMoment } from '../../text/format-moment.ts';
import { type ApprovalMethod, methodFacts } from '../intent/approval-methods.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange, JournalView } from '../intent/journal-port.ts';
import type { Refusal } from '../intent/refusal.ts';
import { type ConfiguredLimits, effectiveLimits, type RiskLimits } from '../intent/risk-limits.ts';
import { unknownStates } from '../intent/states.ts';
import { describeStoreChange, findStoreChange, storeChangeStep } from './store-change.ts';

/** Whether an approval on channel `by` is at least as strict as the required method. */
export const isStrictEnough = (by: ApprovalMethod, wanted: ApprovalMethod | 'none'): boolean =>
  methodFacts[by].strictness >= methodFacts[wanted].strictness;

/** The approval method in force; never `none` in live. */
export async function approvalInForce(settings: TradingSettings, tx: JournalView): Promise<ApprovalMethod | 'none'> {
  if (settings.environment !== 'live') return settings.approval ?? 'none';
  const enrolled = (await readEnrolment(tx))?.approval ?? 'page';
  const configured = settings.approval ?? enrolled;
  return methodFacts[configured].strictness > methodFacts[enrolled].strictness ? configured : enrolled;
}

/** The limits in force now. They are read each time, because an enrollment can change while the process runs. */
export const currentLimits = async (
  { settings, configuredLimits }: { readonly settings: TradingSettings; readonly configuredLimits: ConfiguredLimits },
  tx: JournalView,
): Promise<RiskLimits> => effectiveLimits(settings.environment, configuredLimits, (await readEnrolment(tx))?.limits);

/** Why nothing that changes the account may be sent now; undefined when it may. */
export async function writeRefusal(settings: TradingSettings, tx: JournalView): Promise<Refusal | undefined> {
  if (settings.environment === 'live' && !settings.liveTrading)
    return { rule: 'live_not_enabled', reason: 'Live trading is off: BROKER_LIVE_TRADING is not true.' };
  const disguised = (await liveOriginRefusal(tx, settings)) ?? (await otherAddressRefusal(tx, settings));
  if (disguised) return disguised;
  const change = settings.environment === 'live' ? await findStoreChange(tx, settings.witness) : undefined;
  if (change) return { rule: 'store_changed', reason: `${describeStoreChange(change)} ${storeChangeStep}` };
  const halt = await readHalt(tx);
  if (!halt && !settings.haltFile()) return undefined;
  return {
    rule: 'halted',
    reason: `Trading is halted: ${sentence(halt?.reason ?? 'The file "halt" is in the state folder')} The owner can lift the halt with brokerage-mcp resume in a terminal; cancelling still works.`,
  };
}

/** The refusal where the key is enrolled for another address: the broker sends nothing there. */
async function otherAddressRefusal(
  tx: JournalView,
  { environment, origin, service }: TradingSettings,
): Promise<Refusal | undefined> {
  if (origin === undefined) return undefined;
  const enrolled = await findOtherAddress(tx, { environment, address: origin, keyHash: service?.().keyHash });
  return enrolled === undefined ? undefined : { rule: 'live_service', reason: describeOtherAddress(enrolled, origin) };
}

/** Why no order may be placed now; undefined when it may. */
export async function tradingRefusal(
  settings: TradingSettings,
  tx: JournalView,
  accountKey: string | undefined,
): Promise<Refusal | undefined> {
  const { environment } = settings;
  const stopped = await writeRefusal(settings, tx);
  // A halt comes last: a missing setting or enrollment is the more useful reason.
  if (stopped && stopped.rule !== 'halted') return stopped;
  const method = await approvalInForce(settings, tx);
  // In live, where nothing is enrolled, the method is the page or a stricter one.
  if (methodFacts[method].needsPassphrase && !(await readEnrolment(tx)))
    return {
      rule: 'approval_missing',
      reason: `${environment === 'live' ? 'Live orders need' : 'Orders here need'} the approval of a human, but no passphrase is enrolled: the owner must run brokerage-mcp enroll in a terminal.`,
    };
  if (stopped) return stopped;
  if (accountKey === undefined) return undefined;
  const unknown = await tx.list({ states: unknownStates, accountKey });
  if (unknown.length >= maxUnknownOrders)
    return {
      rule: 'open_unknown',
      reason: `${unknown.length} orders have an unknown outcome and may be live. No new orders are accepted until they are found or closed.`,
    };
  return undefined;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

// The halt: no process that shares the store sends a new order, cancellations pass, and only a human lifts it.

/** The rules that can halt trading. The names are public. */
type HaltRule = 'echo_mismatch' | 'foreign_order' | 'open_unknown' | 'rejections' | 'two_orders';

/** Why and when (ms) trading was halted. */
export interface Halt {
  readonly at: number;
  readonly by: 'command' | 'rule' | 'file';
  /** The rule that halted. */
  readonly rule?: HaltRule | undefined;
  readonly reason: string;
}

const recordName = 'halt';
const countName = 'halt-count';

/** The halt in force; undefined when trading is not halted. */
export const readHalt = (tx: JournalView): Promise<Halt | undefined> => tx.get<Halt>(recordName);

/**
 * How often trading was halted in this store. A draft that is sent over minutes compares it with the number at its
 * start, because a halt stops it even if it is lifted in a pause of the draft.
 */
export const readHaltCount = async (tx: JournalView): Promise<number> => (await tx.get<number>(countName)) ?? 0;

/** Halts trading. The first reason is kept, because it shows what to investigate. */
export async function setHalt(tx: JournalChange, halt: Halt): Promise<void> {
  if (await readHalt(tx)) return;
  await tx.set(recordName, halt);
  await tx.set(countName, (await readHaltCount(tx)) + 1);
  await tx.note('all', 'halt', halt);
}

/**
 * A file in the state folder halts like the command. It can be created when nothing else works; removing it does
 * not lift the halt.
 */
export async function applyHaltFile(tx: JournalChange, haltFile: () => boolean, now: number): Promise<void> {
  if (haltFile()) await setHalt(tx, { at: now, by: 'file', reason: 'The file "halt" was placed in the state folder.' });
}

/** Lifts the halt. The caller must have asked the owner, with the passphrase if one is enrolled. */
export async function liftHalt(tx: JournalChange): Promise<void> {
  const halt = await readHalt(tx);
  await tx.set(recordName, undefined);
  await tx.note('all', 'resume', { lifted: halt ?? null });
}

// The rules that halt live trading automatically, in whichever process they apply and however late.

const rejectionsMs = 600_000;
const maxRejections = 3;
/** Trading halts when this many orders have an unknown outcome at the same time. */
export const maxUnknownOrders = 2;

/** Halts live trading if the state that an intent has just reached requires it. */
export async function haltIfNeeded(tx: JournalChange, intent: Intent, now: number): Promise<void> {
  if (intent.environment !== 'live') return;
  const { accountKey, state, mismatch } = intent;
  const halt = (rule: HaltRule, reason: string) => setHalt(tx, { at: now, by: 'rule', rule, reason });
  if (mismatch?.length)
    await halt(
      'echo_mismatch',
      `The broker's response to an order differs from the request in ${mismatch.map(toWords).join(', ')}.`,
    );
  if (state === 'REJECTED') {
    const rejected = await tx.list({ states: ['REJECTED'], accountKey, createdSince: now - dayMs });
    if (rejected.filter(({ changedAt }) => isWithin(changedAt, now, rejectionsMs)).length >= maxRejections)
      await halt('rejections', `The broker rejected ${maxRejections} orders within ten minutes.`);
  }
  const isUnknown = (unknownStates as readonly string[]).includes(state);
  if (isUnknown && (await tx.list({ states: unknownStates, accountKey })).length >= maxUnknownOrders)
    await halt('open_unknown', `${maxUnknownOrders} orders have an unknown outcome at the same time.`);
}

const causes: Readonly<Record<Halt['by'], string>> = { command: 'a command', rule: 'a rule', file: 'a file' };

/** Since when trading is halted, by what and why: what follows "halted". */
export const describeHalt = ({ at, by, reason }: Halt, sayMoment: SayMoment): string =>
  `since ${sayMoment(at)} by ${causes[by]}: ${reason}`;
