import Big from 'big.js';
import { keepText } from '../http/write-json.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import { publishedExchanges } from '../world/trading-sessions.ts';

const buildExchangeBodies = (now: number) =>
  publishedExchanges(now).map(({ id, name, workingSchedules }) => ({
    id,
    name,
    workingSchedules: workingSchedules.map((schedule) => ({
      id: schedule.id,
      timeEvents: schedule.timeEvents.map(({ at, type }) => ({ date: new Date(at), type })),
    })),
  }));

/** Local days, and with them the published events, change at quarters of an hour only. */
const quarterMs = 15 * 60_000;
const maxKept = 8;
const built = new Map<number, ReturnType<typeof buildExchangeBodies>>();

/** The exchanges with the events of six weeks around `now` (ms). The list is long, so it is kept for a quarter. */
export function exchangeBodies(now: number): ReturnType<typeof buildExchangeBodies> {
  const quarter = Math.floor(now / quarterMs);
  const known = built.get(quarter);
  if (known) return known;
  const bodies = keepText(buildExchangeBodies(now));
  if (built.size >= maxKept) built.clear();
  built.set(quarter, bodies);
  return bodies;
}

export const tradableInstrumentBody = (instrument: Instrument, quirks: Quirks) => ({
  ticker: instrument.ticker,
  type: quirks.unknownEnums && instrument.type === 'CVR' ? 'CONTINGENT_RIGHT' : instrument.type,
  name: instrument.name,
  shortName: instrument.shortName,
  isin: instrument.isin,
  currencyCode: instrument.currency,
  addedOn: new Date(instrument.addedOn),
  extendedHours: instrument.extendedHours,
  maxOpenQuantity: new Big(instrument.maxOpenQuantity),
  workingScheduleId: instrument.scheduleId,
});
