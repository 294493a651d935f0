/**
 * Instruments of every world, independent of its seed: one for each form of ticker, currency and exchange. The seeded
 * account trades those with a `role`.
 */
import { buildIsin } from './company-names.ts';
import type { Instrument } from './instrument.ts';
import { segmentId } from './venues.ts';

export interface Featured extends Instrument {
  /** Held today in the seeded account, or sold completely in the past; undefined: never traded. */
  readonly role: 'held' | 'sold' | undefined;
  readonly dividend: { readonly perYear: number; readonly yieldPercent: number } | undefined;
}

const london = 'Albion Exchange';
const hudson = 'Hudson Exchange';
const palisade = 'Palisade Electronic Market';
const meridian = 'Meridian Continuous Market';

/** What most instruments do not have. */
interface Traits {
  readonly type?: Instrument['type'];
  readonly role?: 'held' | 'sold';
  /** Payments per year and yearly yield in percent. */
  readonly dividend?: readonly [perYear: number, yieldPercent: number] | undefined;
  readonly extendedHours?: boolean;
  readonly max?: number;
  readonly precision?: number;
  readonly trading?: Instrument['trading'];
}

/** `number` is that of the ISIN. */
type Row = readonly [
  ticker: string,
  name: string,
  country: string,
  number: number,
  currency: string,
  price: number,
  exchange: string,
  traits?: Traits,
];

const held = (dividend?: Traits['dividend']): Traits => ({ role: 'held', dividend });
const sold = (dividend?: Traits['dividend']): Traits => ({ role: 'sold', dividend });
const extended: Traits = { extendedHours: true };
const etf: Traits = { type: 'ETF' };

const rows: readonly Row[] = [
  ['QVELT_US_EQ', 'Velthane Semiconductors Inc', 'US', 1, 'USD', 142, palisade, { ...held([4, 0.9]), ...extended }],
  ['ZORBI_US_EQ', 'Zorbital Software Inc', 'US', 2, 'USD', 310, palisade, { ...held([4, 1.1]), ...extended }],
  ['XTARN_US_EQ', 'Xtarnwood Robotics Inc', 'US', 3, 'USD', 88, palisade, held([4, 0.6])],
  ['QHALD_US_EQ', 'Haldersten Foods Inc', 'US', 4, 'USD', 61, hudson, held([4, 3.1])],
  ['ZKESL/A_US_EQ', 'Keslath Capital Inc Class A', 'US', 5, 'USD', 455, hudson, held([4, 1.4])],
  ['YQMAR', 'Yarmarsh Marine Inc', 'US', 6, 'USD', 24, 'Hudson Over the Counter', held([4, 4.2])],
  ['QNIMB_US_EQ', 'Nimbvane Property Trust Inc', 'US', 7, 'USD', 53, hudson, held([12, 5.2])],
  ['QLORV_US_EQ', 'Lorvane Biologics Inc', 'US', 8, 'USD', 17, palisade, sold()],
  ['ZPELD_US_EQ', 'Pelador Motors Inc', 'US', 9, 'USD', 205, palisade, { ...sold([4, 0.5]), ...extended }],
  ['QBRAMl_EQ', 'Bramthwick Water plc', 'GB', 10, 'GBX', 842, london, held([4, 5.1])],
  ['ZWEXOl_EQ', 'Wexorel Energy plc', 'GB', 11, 'GBX', 486, london, held([4, 4.8])],
  ['QO.Bl_EQ', 'Ormelath Insurance plc B', 'GB', 12, 'GBX', 1220, london, held([2, 6.0])],
  ['XFENDl_EQ', 'Fendrake Retail plc', 'GB', 13, 'GBX', 93.4, 'Albion Growth Market', sold([2, 3.0])],
  ['QULVOl_EQ', 'Ulvotosk Homes plc', 'GB', 14, 'GBX', 655, london, sold([2, 4.0])],
  ['ZSANXl_EQ', 'Sandbourne World Value ETF (Dist)', 'IE', 15, 'GBX', 7820, london, { ...held([4, 1.9]), ...etf }],
  ['ZSANGl_EQ', 'Sandbourne World Value ETF (Dist)', 'IE', 15, 'GBP', 78.2, london, etf],
  ['QWRLDl_EQ', 'Oakhaven Global Equity ETF (Acc)', 'IE', 16, 'GBP', 96.5, london, { ...held(), ...etf }],
  ['QDIVIl_EQ', 'Oakhaven Quality Income ETF (Dist)', 'IE', 17, 'GBP', 27.3, london, { ...held([12, 4.1]), ...etf }],
  ['ZBONDl_EQ', 'Hartgate Government Bond ETF (Dist)', 'IE', 18, 'GBP', 51.1, london, { ...held([12, 3.6]), ...etf }],
  ['QRHEId_EQ', 'Rheidoran Chemicals AG', 'DE', 19, 'EUR', 47.2, 'Rhine Exchange', held([1, 3.4])],
  ['ZLUTEp_EQ', 'Luterane Aerospace SA', 'FR', 20, 'EUR', 118, 'Lutetia Bourse', held([2, 2.3])],
  ['XPOLDa_EQ', 'Poldermond Networks NV', 'NL', 21, 'EUR', 33.5, 'Polder Exchange', sold([2, 2.9])],
  ['QLIMMs_EQ', 'Limmaric Health AG', 'CH', 22, 'CHF', 264, 'Limmat Exchange', held([1, 2.7])],
  ['ZMAELk_EQ', 'Maelstad Timber AB', 'SE', 23, 'SEK', 181, 'Maelar Exchange', sold([2, 2.2])],
  // Always open.
  ['QNOON_GB_EQ', 'Noonvik Utilities plc', 'GB', 24, 'GBP', 12.4, meridian, { ...held([4, 2.8]), ...extended }],
  ['QVIGL', 'Vigilune Continuous ETF (Acc)', 'IE', 25, 'GBP', 41.8, meridian, { ...etf, ...extended }],
  ['QDUSK_US_EQ', 'Duskvane Networks Inc', 'US', 26, 'USD', 75, meridian, { ...held(), ...extended }],
  ['QDAWN_US_EQ', 'Dawnquor Optics Inc', 'US', 27, 'USD', 19.6, meridian, extended],
  ['QTIDEl_EQ', 'Tidewold Packaging plc', 'GB', 28, 'GBX', 318, meridian, extended],
  // One for each reason to reject an order.
  ['XCLOS_US_EQ', 'Closevane Media Inc', 'US', 29, 'USD', 9.8, meridian, { trading: 'closeOnly' }],
  ['XHALT_US_EQ', 'Haltric Minerals Inc', 'US', 30, 'USD', 3.1, meridian, { trading: 'disabled' }],
  ['XFEW_US_EQ', 'Fewgant Instruments Inc', 'US', 31, 'USD', 55, meridian, { max: 10 }],
  ['XWHOL_US_WT', 'Wholdyne Materials Inc Warrant', 'US', 32, 'USD', 1.2, meridian, { type: 'WARRANT', precision: 0 }],
  ['QMUSA_JP_EQ', 'Musavik Robotics KK', 'JP', 33, 'JPY', 2480, 'Musashi Exchange'],
];

export const featured: readonly Featured[] = rows.map(
  ([ticker, name, country, number, currency, basePrice, exchange, traits = {}], index) => ({
    ticker,
    type: traits.type ?? 'STOCK',
    name,
    shortName: /^[A-Z./]+/.exec(ticker)?.[0] ?? ticker,
    isin: buildIsin(country, 7_000_000 + number * 131),
    currency,
    addedOn: new Date(Date.UTC(2018, 6, 12 + index, 7)).toISOString(),
    extendedHours: traits.extendedHours ?? false,
    maxOpenQuantity: traits.max ?? 25_000,
    scheduleId: segmentId(exchange),
    basePrice,
    precision: traits.precision ?? 4,
    trading: traits.trading ?? 'open',
    role: traits.role,
    dividend: traits.dividend && { perYear: traits.dividend[0], yieldPercent: traits.dividend[1] },
  }),
);

/** This instrument had a four-for-one split in the history of the seeded account. */
export const splitTicker = 'XTARN_US_EQ';
export const splitRatio = 4;
