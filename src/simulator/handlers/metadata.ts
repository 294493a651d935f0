import Big from 'big.js';
import type { Quirks } from '../testing/quirks.ts';
import type { Instrument } from '../world/instrument.ts';
import { publishedExchanges } from '../world/trading-sessions.ts';

export const exchangeBodies = (now: number) =>
  publishedExchanges(now).map(({ id, name, workingSchedules }) => ({
    id,
    name,
    workingSchedules: workingSchedules.map((schedule) => ({
      id: schedule.id,
      timeEvents: schedule.timeEvents.map(({ at, type }) => ({ date: new Date(at), type })),
    })),
  }));

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
