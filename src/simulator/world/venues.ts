/** Seventeen invented exchanges with their hours. The schedules of one exchange differ by segment. */

import type { timeEventTypes } from '../../core/endpoints/instruments.ts';

export type EventType = (typeof timeEventTypes)[number];

export interface Schedule {
  readonly id: number;
  readonly zone: string;
  /** True for the exchange that is always open. */
  readonly always: boolean;
  /** Minutes after local midnight of a trading day. */
  readonly events: readonly (readonly [minutes: number, type: EventType])[];
}

interface Venue {
  readonly id: number;
  readonly name: string;
  readonly schedules: readonly Schedule[];
}

type Events = Schedule['events'];
const at = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const day = (open: string, close: string): Events => [
  [at(open), 'OPEN'],
  [at(close), 'CLOSE'],
];

const withBreak = (open: string, pause: string, resume: string, close: string): Events => [
  [at(open), 'OPEN'],
  [at(pause), 'BREAK_START'],
  [at(resume), 'BREAK_END'],
  [at(close), 'CLOSE'],
];

/** No CLOSE event: the after-hours session ends the regular one. */
const american = (pre: string, after: string, end: string): Events => [
  [at(pre), 'PRE_MARKET_OPEN'],
  [at('09:30'), 'OPEN'],
  [at(after), 'AFTER_HOURS_OPEN'],
  [at(end), 'AFTER_HOURS_CLOSE'],
];

const overnight: Events = [...american('04:00', '16:00', '20:00').slice(0, 3), [at('20:00'), 'OVERNIGHT_OPEN']];

const european = (open: string, close: string, late: string): Events[] => [
  day(open, close),
  day(open, late),
  day(open, '20:00'),
];

const list: readonly (readonly [name: string, zone: string, segments: readonly Events[]])[] = [
  ['Albion Exchange', 'Europe/London', [day('08:00', '16:30'), day('08:00', '16:35'), day('07:50', '17:15')]],
  ['Albion Growth Market', 'Europe/London', [day('08:00', '16:30'), day('08:15', '16:30'), day('09:00', '16:00')]],
  [
    'Hudson Exchange',
    'America/New_York',
    [american('04:00', '16:00', '20:00'), american('07:00', '16:00', '18:30'), overnight],
  ],
  [
    'Palisade Electronic Market',
    'America/New_York',
    [american('04:00', '16:00', '20:00'), american('08:00', '16:15', '20:00'), overnight],
  ],
  [
    'Hudson Over the Counter',
    'America/New_York',
    [american('08:00', '16:00', '17:00'), american('09:00', '16:00', '16:30'), american('09:15', '15:45', '16:00')],
  ],
  ['Rhine Exchange', 'Europe/Berlin', [day('09:00', '17:30'), day('08:00', '22:00'), day('07:30', '23:00')]],
  ['Lutetia Bourse', 'Europe/Paris', european('09:00', '17:30', '17:35')],
  ['Polder Exchange', 'Europe/Amsterdam', european('09:00', '17:30', '17:40')],
  ['Schelde Bourse', 'Europe/Brussels', european('09:00', '17:30', '17:35')],
  ['Tagus Exchange', 'Europe/Lisbon', european('08:00', '16:30', '16:35')],
  ['Meseta Exchange', 'Europe/Madrid', european('09:00', '17:30', '17:35')],
  ['Limmat Exchange', 'Europe/Zurich', european('09:00', '17:20', '17:30')],
  ['Maelar Exchange', 'Europe/Stockholm', european('09:00', '17:25', '17:30')],
  [
    'Rideau Exchange',
    'America/Toronto',
    [american('07:00', '16:00', '17:00'), day('09:30', '16:00'), day('09:30', '16:15')],
  ],
  [
    'Victoria Harbour Exchange',
    'Asia/Hong_Kong',
    [
      withBreak('09:30', '12:00', '13:00', '16:00'),
      withBreak('09:30', '12:00', '13:00', '16:10'),
      day('09:30', '16:00'),
    ],
  ],
  [
    'Musashi Exchange',
    'Asia/Tokyo',
    [
      withBreak('09:00', '11:30', '12:30', '15:00'),
      withBreak('09:00', '11:30', '12:30', '15:30'),
      day('09:00', '15:00'),
    ],
  ],
  // Opens again each midnight and never closes, so that one market is open at any time.
  ['Meridian Continuous Market', 'UTC', [[[0, 'OPEN']], [[0, 'OPEN']]]],
];

let scheduleId = 40;
export const venues: readonly Venue[] = list.map(([name, zone, segments], index) => ({
  id: index + 10,
  name,
  schedules: segments.map((events) => ({ id: ++scheduleId, zone, always: zone === 'UTC', events })),
}));

const schedulesById = new Map(venues.flatMap(({ schedules }) => schedules.map((one) => [one.id, one] as const)));

export function getSchedule(id: number): Schedule {
  const schedule = schedulesById.get(id);
  if (!schedule) throw new RangeError(`no schedule ${id}`);
  return schedule;
}

const homeExchanges: Readonly<Record<string, string>> = {
  GBP: 'Albion Exchange',
  GBX: 'Albion Exchange',
  USD: 'Palisade Electronic Market',
  EUR: 'Rhine Exchange',
  CHF: 'Limmat Exchange',
  SEK: 'Maelar Exchange',
  CAD: 'Rideau Exchange',
  HKD: 'Victoria Harbour Exchange',
  JPY: 'Musashi Exchange',
};

/** Returns the schedule of an instrument about which only its currency is known. */
export const getHomeSchedule = (currency: string): number =>
  segmentId(homeExchanges[currency] ?? 'Meridian Continuous Market');

/** Returns the id of a segment of the exchange with this name. */
export function segmentId(exchange: string, segment = 0): number {
  const id = venues.find(({ name }) => name === exchange)?.schedules[segment]?.id;
  if (id === undefined) throw new RangeError(`no segment ${segment} of ${exchange}`);
  return id;
}
