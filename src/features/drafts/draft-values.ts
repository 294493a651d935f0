/** What the open drafts are worth, for a list that a person reads: each side as one sum where the rates are known. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import { endpoints } from '../../core/endpoints/index.ts';
import { BrokerageError } from '../../core/errors.ts';
import { rateToAccount } from '../../core/orders/account/estimate.ts';
import { foreignCurrency } from '../../core/text/sanitize-text.ts';
import type { OpenedDraft } from './book/draft.ts';
import { type DraftValue, valueLegs } from './book/legs.ts';
import type { DraftToolDeps } from './draft-tool-deps.ts';

type Side = DraftValue['buys'];

/** The longest wait for the account: a list is not worth more. */
const patienceMs = 5_000;

interface DraftValues {
  /** By the id of the draft; a draft of unknown value has none. */
  readonly drafts: Readonly<Record<string, DraftValue>>;
  /** Of all drafts; undefined when a value is unknown. */
  readonly all: DraftValue | undefined;
}

/**
 * The values of drafts, where the list of instruments that this process read has the currencies. The account is read only
 * for drafts in several currencies; without it, or without a rate, sums stay in the currencies of the prices.
 */
export async function valueDrafts(
  open: readonly OpenedDraft[],
  { directory, broker, clock }: Pick<DraftToolDeps, 'directory' | 'broker' | 'clock'>,
  context: CallContext,
): Promise<DraftValues> {
  const list = directory.lastList();
  const currencyOf = (ticker: string) => foreignCurrency(list?.byTicker(ticker)?.currencyCode);
  const known = open.flatMap(({ draft, latest }) => {
    const value = valueLegs(latest.legs, currencyOf);
    return value ? [[draft.id, value] as const] : [];
  });
  const used = new Set(known.flatMap(([, { buys, sells }]) => [...Object.keys(buys), ...Object.keys(sells)]));
  const convert =
    used.size > 1
      ? await readConversion(broker, { ...context, deadlineAt: Math.min(context.deadlineAt, clock.now() + patienceMs) })
      : (side: Side) => side;
  const drafts = known.map(([id, { buys, sells }]) => [id, { buys: convert(buys), sells: convert(sells) }] as const);
  const total = (side: keyof DraftValue) => sumSides(drafts.map(([, value]) => value[side]));
  return {
    drafts: Object.fromEntries(drafts),
    all: drafts.length === open.length ? { buys: total('buys'), sells: total('sells') } : undefined,
  };
}

/** How sums become one sum in the account's currency; one that lacks a rate stays as it is. */
async function readConversion(broker: DraftToolDeps['broker'], context: CallContext): Promise<(side: Side) => Side> {
  const account = await Promise.all([
    broker.call(endpoints.getAccountSummary, {}, context),
    broker.call(endpoints.listPositions, {}, context),
  ]).catch((error: unknown) => {
    if (error instanceof BrokerageError && error.code !== 'cancelled') return undefined;
    throw error;
  });
  if (!account) return (side) => side;
  const [{ data: summary }, { data: positions }] = account;
  const accountCurrency = foreignCurrency(summary.currency);
  return (side) => {
    const sums = Object.entries(side).map(([currencyCode, amount]) =>
      rateToAccount({ summary, positions, fills: [], instrument: { currencyCode } }).rate?.times(amount),
    );
    if (sums.length === 0 || accountCurrency === undefined || sums.includes(undefined)) return side;
    return { [accountCurrency]: sums.reduce<Big>((sum, one) => sum.plus(one ?? 0), new Big(0)).toFixed(2) };
  };
}

function sumSides(sides: readonly Side[]): Side {
  const sums: Record<string, Big> = {};
  for (const side of sides)
    for (const [currency, amount] of Object.entries(side)) sums[currency] = new Big(amount).plus(sums[currency] ?? 0);
  return Object.fromEntries(Object.entries(sums).map(([currency, amount]) => [currency, amount.toFixed(2)]));
}
