/** When the search for a lost order runs, and when it ends. */
import { clockSlackMs, holdsUntil } from '../../stored-times.ts';
import type { ReconcileState } from '../intent/intent.ts';

/** Seconds after the loss of the response; then every five minutes for an hour. */
const early = [0, 5, 10, 20, 40, 80, 160];
const lateEverySeconds = 300;
const lateRounds = 12;
export const maxRounds = early.length + lateRounds - 1;

export const initialSearch = (lostAt: number): ReconcileState => ({ lostAt, round: 0, nextAt: lostAt });

/** The time at which round `round` is due (ms). */
export function roundDueAt(lostAt: number, round: number): number {
  const late = Math.max(0, round - early.length + 1);
  const seconds = (early[Math.min(round, early.length - 1)] ?? 0) + late * lateEverySeconds;
  return lostAt + seconds * 1000;
}

/** The longest pause between two rounds (ms), also after a block of the service. */
const maxPauseMs = 3_600_000;

/**
 * Whether the next round may run now. A loss that lies ahead was stored under another clock, and so was the time of the
 * round: the search goes on at once, and counts from now.
 */
export const isSearchDue = ({ lostAt, nextAt }: ReconcileState, now: number): boolean =>
  lostAt > now + clockSlackMs || !holdsUntil(nextAt, now, maxPauseMs);
