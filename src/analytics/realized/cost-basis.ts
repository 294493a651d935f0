/** What the owner said about shares that came from another broker: when they were acquired, and for how much. */
import type Big from 'big.js';
import type { Trade } from '../trades.ts';

export interface TransferCost {
  /** When the shares were acquired (ms). */
  readonly acquiredAt: number;
  /** For all shares of the transfer, with charges, in the currency of the account. */
  readonly cost: Big;
}

/** Finds what was said about a transfer; undefined when nothing was. */
export type CostBasis = (transfer: Pick<Trade, 'ticker' | 'at' | 'fillId'>) => TransferCost | undefined;

export const noCostBasis: CostBasis = () => undefined;
