/** The rules that halt live trading automatically, in whichever process they apply and however late. */
import { dayMs } from '../../clock.ts';
import { isWithin } from '../../stored-times.ts';
import type { Intent } from '../intent/intent.ts';
import type { JournalChange } from '../intent/ports.ts';
import { unknownStates } from '../intent/states.ts';
import { type HaltRule, setHalt } from './halt.ts';

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
      `The broker's response to an order differs from the request in ${mismatch.join(', ')}.`,
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
