/** What a filter by type means in a history: one type in any case, or all that begin with the text. */
import { dividendTypes, orderTypes, transactionTypes } from '../../core/endpoints/index.ts';
import type { HistoryKind } from './kinds.ts';

export interface TypeMatch {
  /** The text that was given, in the form of a type: `INTEREST_ON`. */
  readonly asked: string;
  /** Types of this history that are meant; empty when no row has one. */
  readonly matched: readonly string[];
  /** Further types that begin with the one that is meant. */
  readonly longer: readonly string[];
  /** Every type of the rows read so far. */
  readonly existing: readonly string[];
  /** Types that the service documents and no row has. */
  readonly documented: readonly string[];
  /** Whether the service documents a type that is meant, although no row has it. */
  readonly isDocumented: boolean;
}

const documentedTypes: Readonly<Record<HistoryKind, readonly string[]>> = {
  orders: orderTypes,
  dividends: dividendTypes,
  transactions: transactionTypes,
};

export function matchTypes(text: string, kind: HistoryKind, existing: readonly string[]): TypeMatch {
  const asked = toTypeName(text);
  const beginning = existing.filter((type) => toTypeName(type).startsWith(asked));
  const exact = beginning.filter((type) => toTypeName(type) === asked);
  const matched = exact.length > 0 ? exact : beginning;
  return {
    asked,
    matched,
    longer: beginning.filter((type) => !matched.includes(type)),
    existing,
    documented: documentedTypes[kind].filter((type) => !existing.includes(type) && !isVariant(type)).toSorted(),
    isDocumented: documentedTypes[kind].some((type) => type.startsWith(asked)),
  };
}

/** Each type of dividend has this variant, which would double the list. */
const isVariant = (type: string): boolean => type.endsWith('_MANUFACTURED_PAYMENT');

/** `Interest on free cash` is `INTEREST_ON_FREE_CASH`. */
const toTypeName = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/[\s_-]+/g, '_');
