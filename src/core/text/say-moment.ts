/** Moments for a person in one time zone, said at the time of reading. */
import type { Clock } from '../clock.ts';
import { formatMoment } from './format-moment.ts';

/** Says a moment (ms since 1970), such as "today 08:00". */
export type SayMoment = (at: number) => string;

export const createSayMoment =
  (zone: string, clock: Clock): SayMoment =>
  (at) =>
    formatMoment(at, clock.now(), zone);
