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
