/**
 * One invented instrument for each type that the specification names and that neither the account nor the generated
 * instruments have.
 */
import { segmentId } from './exchanges.ts';
import type { Instrument } from './instrument.ts';
import { buildIsin } from './names.ts';

const rows: readonly (readonly [type: Instrument['type'], ticker: string, name: string, price: number])[] = [
  ['CRYPTOCURRENCY', 'ZEPHN_CRYPTO', 'Zephnel Coin', 310],
  ['CRYPTO', 'QUOLT_EQ', 'Quolter Coin Tracker', 42],
  ['FOREX', 'XGBPXUSD', 'Pound to Dollar', 1.27],
  ['FUTURES', 'XBRENF_FUT', 'Brennish Oil Future', 78],
  ['INDEX', 'XALBI_IND', 'Albion Hundred Index', 8200],
  ['CORPACT', 'QRIGHT_CA', 'Ormelath Insurance plc Rights', 0.9],
];

export const rareInstruments: readonly Instrument[] = rows.map(([type, ticker, name, basePrice], index) => ({
  ticker,
  type,
  name,
  shortName: /^[A-Z]+/.exec(ticker)?.[0] ?? ticker,
  isin: buildIsin('XS', 7_900_000 + index * 131),
  currency: 'USD',
  addedOn: new Date(Date.UTC(2024, 2, 4 + index, 7)).toISOString(),
  extendedHours: false,
  maxOpenQuantity: 1000,
  scheduleId: segmentId('Meridian Continuous Market'),
  basePrice,
  precision: 4,
  trading: 'open',
}));
