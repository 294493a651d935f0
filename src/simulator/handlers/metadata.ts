import Big from 'big.js';
import { keepText } from '../http/write-json.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import { type PublishedDays, publishedExchanges } from '../world/trading-sessions.ts';

const buildExchangeBodies = (now: number, days: PublishedDays | undefined) =>
  publishedExchanges(now, days).map(({ id, name, workingSchedules }) => ({
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
const built = new Map<string, ReturnType<typeof buildExchangeBodies>>();

/** The exchanges with the events around `now` (ms). The list is long, so it is kept for a quarter. */
export function exchangeBodies(now: number, days?: PublishedDays): ReturnType<typeof buildExchangeBodies> {
  const key = [Math.floor(now / quarterMs), days?.before, days?.after].join('/');
  const known = built.get(key);
  if (known) return known;
  const bodies = keepText(buildExchangeBodies(now, days));
  if (built.size >= maxKept) built.clear();
  built.set(key, bodies);
  return bodies;
}

const instrumentBodies = new WeakMap<readonly Instrument[], Map<boolean, readonly unknown[]>>();

/** The instruments as they are listed. The list is long, so it is kept as long as the instruments are. */
export function tradableInstrumentBodies(instruments: readonly Instrument[], quirks: Quirks): readonly unknown[] {
  const forms = instrumentBodies.get(instruments) ?? new Map<boolean, readonly unknown[]>();
  instrumentBodies.set(instruments, forms);
  const known = forms.get(quirks.unknownEnums);
  if (known) return known;
  const bodies = keepText(instruments.map((instrument) => tradableInstrumentBody(instrument, quirks)));
  forms.set(quirks.unknownEnums, bodies);
  return bodies;
}

const tradableInstrumentBody = (instrument: Instrument, quirks: Quirks) => ({
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
