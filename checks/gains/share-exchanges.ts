/**
 * Exchanges of shares (TCGA 1992 ss 127 and 135): where one ticker leaves and one comes at one moment, the new shares
 * are the old ones under another name, with their cost and the days on which they were acquired.
 */
import type { AccountRow } from './account-row.ts';
import { addAll, divide, type Fraction, isPositive, multiply } from './fraction.ts';
import { groupRows } from './group-rows.ts';

/** A part of the shares that left, in units of their class. */
export interface GivenPart {
  readonly units: Fraction;
  readonly cost: Fraction | undefined;
  /** Undefined for shares from a pool. */
  readonly acquiredAt: number | undefined;
}

export interface ShareExchange {
  readonly out: AccountRow;
  readonly in: AccountRow;
}

export const isExchangeRow = ({ type }: AccountRow): boolean => type === 'STOCK_ACQUISITION';

/** The exchanges of an account, by the id of each of their two rows. */
export function findShareExchanges(rows: readonly AccountRow[]): Map<bigint, ShareExchange> {
  const found = new Map<bigint, ShareExchange>();
  for (const near of groupRows(rows.filter(isExchangeRow), ({ at, account }) => `${at} ${account}`).values()) {
    const [leaving, coming] = [near.filter(({ side }) => side === 'SELL'), near.filter(({ side }) => side === 'BUY')];
    const [out, fresh] = [leaving[0], coming[0]];
    if (!out || !fresh || leaving.length > 1 || coming.length > 1) continue;
    for (const { id } of near) found.set(id, { out, in: fresh });
  }
  return found;
}

/** The new shares in the parts in which the old ones left. `quantity` is in units of their own class. */
export function convertParts(parts: readonly GivenPart[], quantity: Fraction): GivenPart[] {
  const all = addAll(parts.map(({ units }) => units));
  if (!isPositive(all)) return [];
  return parts.map((part) => ({ ...part, units: multiply(quantity, divide(part.units, all)) }));
}
