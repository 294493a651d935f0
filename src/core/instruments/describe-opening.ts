/** Says when a closed market opens, in the time zone of the account. */
import { getMachineZone } from '../text/account-zone.ts';
import { formatMoment } from '../text/format-moment.ts';

export interface OpeningMoment {
  /** The time of reading (ms), for a text that is read at once. Undefined: the text is kept, so it has the full date. */
  readonly now: number | undefined;
  readonly zone: string;
}

/** `opens today 08:00`; the zone is named where this machine shows another time. */
export function describeOpening(nextOpenAt: string | undefined, { now = 0, zone }: OpeningMoment): string {
  if (nextOpenAt === undefined) return 'opens at an unknown time';
  const at = Date.parse(nextOpenAt);
  const moment = formatMoment(at, now, zone);
  return `opens ${moment}${moment === formatMoment(at, now, getMachineZone()) ? '' : ` ${nameZone(zone)}`}`;
}

/** `Europe/London` is `London time`. */
const nameZone = (zone: string): string =>
  zone.includes('/') ? `${zone.split('/').at(-1)?.replace(/_/g, ' ')} time` : zone;
