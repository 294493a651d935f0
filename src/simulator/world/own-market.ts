import type Big from 'big.js';
import type { Instrument } from './instrument.ts';

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
