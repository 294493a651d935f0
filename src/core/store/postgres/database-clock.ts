/**
 * The clock that several machines share is the database's. Every transaction measures how far this machine's clock
 * is off. The server's timestamp was taken between request and response, so the true offset lies between two
 * bounds; the offset in use moves only as far as a new measurement requires.
 */
import type { Clock } from '../../clock.ts';

export interface DatabaseClock extends Clock {
  /** Records that the database's clock showed `stampedAt` (ms) between these two times of this machine's clock. */
  recordTimestamp(stamp: { readonly stampedAt: number; readonly askedAt: number; readonly answeredAt: number }): void;
  /** How far the database's clock is ahead of this machine's, in ms; undefined before the first measurement. */
  ahead(): number | undefined;
}

export function createDatabaseClock(own: Clock): DatabaseClock {
  let ahead: number | undefined;
  return {
    now: () => Math.round(own.now() + (ahead ?? 0)),
    sleep: own.sleep,
    recordTimestamp: ({ stampedAt, askedAt, answeredAt }) => {
      // This machine's times have a resolution of one millisecond, so each bound is widened by one.
      const [least, most] = [stampedAt - answeredAt - 1, stampedAt - askedAt + 1];
      ahead = ahead === undefined ? (least + most) / 2 : Math.min(most, Math.max(least, ahead));
    },
    ahead: () => ahead,
  };
}
