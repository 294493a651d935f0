/** Whether orders can be placed at all, and if not, why. The order manager and the status use the same functions. */
import { describeOtherAddress, findOtherAddress, readEnrolment } from '../../approval/enrollment/enrollment.ts';
import { liveOriginRefusal, type TradingSettings } from '../../approval/enrollment/live-origin-guard.ts';
import { type ApprovalMethod, methodFacts } from '../intent/approval-methods.ts';
import type { JournalView } from '../intent/journal-port.ts';
import type { Refusal } from '../intent/refusal.ts';
import { unknownStates } from '../intent/states.ts';
import { describeStoreChange, findStoreChange, storeChangeStep } from './store-change.ts';
import { maxUnknownOrders, readHalt } from './trading-halt.ts';

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
