/**
 * Several machines need one time, and it is the database's: what this machine's clock is off is
 * measured with every transaction. The stamp was made between asking and answer, so the true
 * difference lies between two bounds; the one in use is moved only as far as a new pair demands.
 */
import type { Clock } from '../../clock.ts';

export interface DatabaseClock extends Clock {
  /** The database said `stampedAt` (ms), somewhere between these two moments of this machine's clock. */
  recordTimestamp(stamp: { readonly stampedAt: number; readonly askedAt: number; readonly answeredAt: number }): void;
  /** How far the database's clock is ahead of this machine's, in ms; undefined before it was ever asked. */
  ahead(): number | undefined;
}

export function createDatabaseClock(own: Clock): DatabaseClock {
  let ahead: number | undefined;
  return {
    now: () => Math.round(own.now() + (ahead ?? 0)),
    sleep: own.sleep,
    recordTimestamp: ({ stampedAt, askedAt, answeredAt }) => {
      // Whole milliseconds on our side: half of one on either side is not known.
      const [least, most] = [stampedAt - answeredAt - 1, stampedAt - askedAt + 1];
      ahead = ahead === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, ahead));
    },
    ahead: () => ahead,
  };
}
