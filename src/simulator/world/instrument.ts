import type Big from 'big.js';
import type { InstrumentType } from '../../core/endpoints/index.ts';

export interface Instrument {
  readonly ticker: string;
  readonly type: InstrumentType;
  readonly name: string;
  readonly shortName: string;
  readonly isin: string;
  /** ISO 4217, or GBX for pence. */
  readonly currency: string;
  readonly addedOn: string;
  readonly extendedHours: boolean;
  readonly maxOpenQuantity: number;
  readonly scheduleId: number;
  /** The price around which the simulated price moves, in the instrument's currency. */
  readonly basePrice: number;
  /** Maximum decimals of an order's quantity. */
  readonly precision: number;
  readonly trading: 'open' | 'closeOnly' | 'disabled';
}

/** Returns the decimals of a price, as exchanges use them. */
export const priceDecimals = (currency: string, price: number): number =>
  currency === 'JPY' ? 0 : price < 1 ? 4 : currency === 'GBX' ? 1 : 2;

/** The part of a world that comes from a given account instead of the seed. */
export interface OwnMarket {
  /** The account's currency, ISO 4217. */
  readonly currency: string;
  /** They take precedence over those of the seed with the same ticker. */
  readonly instruments: readonly Instrument[];
  /** The time (ms) of the prices and rates below; before and after it they move like the others. */
  readonly at: number;
  /** By ticker, in the instrument's currency. */
  readonly prices: ReadonlyMap<string, Big>;
  /** By currency, in units per unit of the account's. */
  readonly rates: ReadonlyMap<string, Big>;
}
