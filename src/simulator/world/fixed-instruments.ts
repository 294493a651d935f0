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

const london = () => segmentId('Albion Exchange');
const hudson = () => segmentId('Hudson Exchange');
const palisade = () => segmentId('Palisade Electronic Market');
const meridian = () => segmentId('Meridian Continuous Market');

interface Row {
  ticker: string;
  name: string;
  type?: Instrument['type'];
  isin: readonly [country: string, number: number];
  currency: string;
  price: number;
  venue: () => number;
  role?: 'held' | 'sold';
  /** Payments per year and yearly yield in percent. */
  dividend?: readonly [perYear: number, yieldPercent: number];
  extendedHours?: boolean;
  max?: number;
  precision?: number;
  trading?: Instrument['trading'];
}

const rows: readonly Row[] = [
  {
    ticker: 'QVELT_US_EQ',
    name: 'Velthane Semiconductors Inc',
    isin: ['US', 1],
    currency: 'USD',
    price: 142,
    venue: palisade,
    role: 'held',
    dividend: [4, 0.9],
    extendedHours: true,
  },
  {
    ticker: 'ZORBI_US_EQ',
    name: 'Zorbital Software Inc',
    isin: ['US', 2],
    currency: 'USD',
    price: 310,
    venue: palisade,
    role: 'held',
    dividend: [4, 1.1],
    extendedHours: true,
  },
  {
    ticker: 'XTARN_US_EQ',
    name: 'Xtarnwood Robotics Inc',
    isin: ['US', 3],
    currency: 'USD',
    price: 88,
    venue: palisade,
    role: 'held',
    dividend: [4, 0.6],
  },
  {
    ticker: 'QHALD_US_EQ',
    name: 'Haldersten Foods Inc',
    isin: ['US', 4],
    currency: 'USD',
    price: 61,
    venue: hudson,
    role: 'held',
    dividend: [4, 3.1],
  },
  {
    ticker: 'ZKESL/A_US_EQ',
    name: 'Keslath Capital Inc Class A',
    isin: ['US', 5],
    currency: 'USD',
    price: 455,
    venue: hudson,
    role: 'held',
    dividend: [4, 1.4],
  },
  {
    ticker: 'YQMAR',
    name: 'Yarmarsh Marine Inc',
    isin: ['US', 6],
    currency: 'USD',
    price: 24,
    venue: () => segmentId('Hudson Over the Counter'),
    role: 'held',
    dividend: [4, 4.2],
  },
  {
    ticker: 'QNIMB_US_EQ',
    name: 'Nimbvane Property Trust Inc',
    isin: ['US', 7],
    currency: 'USD',
    price: 53,
    venue: hudson,
    role: 'held',
    dividend: [12, 5.2],
  },
  {
    ticker: 'QLORV_US_EQ',
    name: 'Lorvane Biologics Inc',
    isin: ['US', 8],
    currency: 'USD',
    price: 17,
    venue: palisade,
    role: 'sold',
  },
  {
    ticker: 'ZPELD_US_EQ',
    name: 'Pelador Motors Inc',
    isin: ['US', 9],
    currency: 'USD',
    price: 205,
    venue: palisade,
    role: 'sold',
    dividend: [4, 0.5],
    extendedHours: true,
  },
  {
    ticker: 'QBRAMl_EQ',
    name: 'Bramthwick Water plc',
    isin: ['GB', 10],
    currency: 'GBX',
    price: 842,
    venue: london,
    role: 'held',
    dividend: [4, 5.1],
  },
  {
    ticker: 'ZWEXOl_EQ',
    name: 'Wexorel Energy plc',
    isin: ['GB', 11],
    currency: 'GBX',
    price: 486,
    venue: london,
    role: 'held',
    dividend: [4, 4.8],
  },
  {
    ticker: 'QO.Bl_EQ',
    name: 'Ormelath Insurance plc B',
    isin: ['GB', 12],
    currency: 'GBX',
    price: 1220,
    venue: london,
    role: 'held',
    dividend: [2, 6.0],
  },
  {
    ticker: 'XFENDl_EQ',
    name: 'Fendrake Retail plc',
    isin: ['GB', 13],
    currency: 'GBX',
    price: 93.4,
    venue: () => segmentId('Albion Growth Market'),
    role: 'sold',
    dividend: [2, 3.0],
  },
  {
    ticker: 'QULVOl_EQ',
    name: 'Ulvotosk Homes plc',
    isin: ['GB', 14],
    currency: 'GBX',
    price: 655,
    venue: london,
    role: 'sold',
    dividend: [2, 4.0],
  },
  {
    ticker: 'ZSANXl_EQ',
    name: 'Sandbourne World Value ETF (Dist)',
    type: 'ETF',
    isin: ['IE', 15],
    currency: 'GBX',
    price: 7820,
    venue: london,
    role: 'held',
    dividend: [4, 1.9],
  },
  {
    ticker: 'ZSANGl_EQ',
    name: 'Sandbourne World Value ETF (Dist)',
    type: 'ETF',
    isin: ['IE', 15],
    currency: 'GBP',
    price: 78.2,
    venue: london,
  },
  {
    ticker: 'QWRLDl_EQ',
    name: 'Oakhaven Global Equity ETF (Acc)',
    type: 'ETF',
    isin: ['IE', 16],
    currency: 'GBP',
    price: 96.5,
    venue: london,
    role: 'held',
  },
  {
    ticker: 'QDIVIl_EQ',
    name: 'Oakhaven Quality Income ETF (Dist)',
    type: 'ETF',
    isin: ['IE', 17],
    currency: 'GBP',
    price: 27.3,
    venue: london,
    role: 'held',
    dividend: [12, 4.1],
  },
  {
    ticker: 'ZBONDl_EQ',
    name: 'Hartgate Government Bond ETF (Dist)',
    type: 'ETF',
    isin: ['IE', 18],
    currency: 'GBP',
    price: 51.1,
    venue: london,
    role: 'held',
    dividend: [12, 3.6],
  },
  {
    ticker: 'QRHEId_EQ',
    name: 'Rheidoran Chemicals AG',
    isin: ['DE', 19],
    currency: 'EUR',
    price: 47.2,
    venue: () => segmentId('Rhine Exchange'),
    role: 'held',
    dividend: [1, 3.4],
  },
  {
    ticker: 'ZLUTEp_EQ',
    name: 'Luterane Aerospace SA',
    isin: ['FR', 20],
    currency: 'EUR',
    price: 118,
    venue: () => segmentId('Lutetia Bourse'),
    role: 'held',
    dividend: [2, 2.3],
  },
  {
    ticker: 'XPOLDa_EQ',
    name: 'Poldermond Networks NV',
    isin: ['NL', 21],
    currency: 'EUR',
    price: 33.5,
    venue: () => segmentId('Polder Exchange'),
    role: 'sold',
    dividend: [2, 2.9],
  },
  {
    ticker: 'QLIMMs_EQ',
    name: 'Limmaric Health AG',
    isin: ['CH', 22],
    currency: 'CHF',
    price: 264,
    venue: () => segmentId('Limmat Exchange'),
    role: 'held',
    dividend: [1, 2.7],
  },
  {
    ticker: 'ZMAELk_EQ',
    name: 'Maelstad Timber AB',
    isin: ['SE', 23],
    currency: 'SEK',
    price: 181,
    venue: () => segmentId('Maelar Exchange'),
    role: 'sold',
    dividend: [2, 2.2],
  },
  // Always open.
  {
    ticker: 'QNOON_GB_EQ',
    name: 'Noonvik Utilities plc',
    isin: ['GB', 24],
    currency: 'GBP',
    price: 12.4,
    venue: meridian,
    role: 'held',
    dividend: [4, 2.8],
    extendedHours: true,
  },
  {
    ticker: 'QVIGL',
    name: 'Vigilune Continuous ETF (Acc)',
    type: 'ETF',
    isin: ['IE', 25],
    currency: 'GBP',
    price: 41.8,
    venue: meridian,
    extendedHours: true,
  },
  {
    ticker: 'QDUSK_US_EQ',
    name: 'Duskvane Networks Inc',
    isin: ['US', 26],
    currency: 'USD',
    price: 75,
    venue: meridian,
    role: 'held',
    extendedHours: true,
  },
  {
    ticker: 'QDAWN_US_EQ',
    name: 'Dawnquor Optics Inc',
    isin: ['US', 27],
    currency: 'USD',
    price: 19.6,
    venue: meridian,
    extendedHours: true,
  },
  {
    ticker: 'QTIDEl_EQ',
    name: 'Tidewold Packaging plc',
    isin: ['GB', 28],
    currency: 'GBX',
    price: 318,
    venue: meridian,
    extendedHours: true,
  },
  // One for each reason to reject an order.
  {
    ticker: 'XCLOS_US_EQ',
    name: 'Closevane Media Inc',
    isin: ['US', 29],
    currency: 'USD',
    price: 9.8,
    venue: meridian,
    trading: 'closeOnly',
  },
  {
    ticker: 'XHALT_US_EQ',
    name: 'Haltric Minerals Inc',
    isin: ['US', 30],
    currency: 'USD',
    price: 3.1,
    venue: meridian,
    trading: 'disabled',
  },
  {
    ticker: 'XFEW_US_EQ',
    name: 'Fewgant Instruments Inc',
    isin: ['US', 31],
    currency: 'USD',
    price: 55,
    venue: meridian,
    max: 10,
  },
  {
    ticker: 'XWHOL_US_WT',
    name: 'Wholdyne Materials Inc Warrant',
    type: 'WARRANT',
    isin: ['US', 32],
    currency: 'USD',
    price: 1.2,
    venue: meridian,
    precision: 0,
  },
  {
    ticker: 'QMUSA_JP_EQ',
    name: 'Musavik Robotics KK',
    isin: ['JP', 33],
    currency: 'JPY',
    price: 2480,
    venue: () => segmentId('Musashi Exchange'),
  },
];

export const featured: readonly Featured[] = rows.map((row, index) => ({
  ticker: row.ticker,
  type: row.type ?? 'STOCK',
  name: row.name,
  shortName: /^[A-Z./]+/.exec(row.ticker)?.[0] ?? row.ticker,
  isin: buildIsin(row.isin[0], 7_000_000 + row.isin[1] * 131),
  currency: row.currency,
  addedOn: new Date(Date.UTC(2018, 6, 12 + index, 7)).toISOString(),
  extendedHours: row.extendedHours ?? false,
  maxOpenQuantity: row.max ?? 25_000,
  scheduleId: row.venue(),
  basePrice: row.price,
  precision: row.precision ?? 4,
  trading: row.trading ?? 'open',
  role: row.role,
  dividend: row.dividend && { perYear: row.dividend[0], yieldPercent: row.dividend[1] },
}));

/** This instrument had a four-for-one split in the history of the seeded account. */
export const splitTicker = 'XTARN_US_EQ';
export const splitRatio = 4;
