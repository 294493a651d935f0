/**
 * When orders were placed, by a clock that may have been ahead at that time. An order of the future would count in each
 * limit until its time comes. It counts as placed at the moment when a process first saw that its time is wrong: what it
 * blocks ends as late as after an order of that moment.
 */
import { clockSlackMs } from '../../stored-times.ts';
import type { Intent } from './intent.ts';
import type { JournalChange } from './ports.ts';
import { allStates } from './states.ts';

type Times = Pick<Intent, 'createdAt' | 'sentAt' | 'seenAheadAt'>;

/** A time of the row (ms) as it counts now. */
export const correctTime = (at: number, { seenAheadAt }: Pick<Intent, 'seenAheadAt'>, now: number): number =>
  at <= now + clockSlackMs ? at : Math.min(seenAheadAt ?? now, now);

/** When an order was sent, or else created (ms). */
export const getPlacedAt = (intent: Times, now: number): number =>
  correctTime(intent.sentAt ?? intent.createdAt, intent, now);

/** Records for the orders of the future that their times are wrong. The times stay, because `now` may be wrong instead. */
export async function noteOrdersAhead(tx: JournalChange, accountKey: string, now: number): Promise<void> {
  for (const intent of await tx.list({ accountKey, states: allStates, createdSince: now + clockSlackMs }))
    if (intent.seenAheadAt === undefined || intent.seenAheadAt > now)
      await tx.move(intent.id, intent.state, { state: intent.state, seenAheadAt: now });
}
