/** Target weights over all accounts of a server: what the others have, and what a plan of one account says of it. */

import Big from 'big.js';
import type { CallContext } from '../../core/broker/types.ts';
import { BrokerageError } from '../../core/errors.ts';
import type { AccountBeside } from '../../core/mcp/tool.ts';
import type { TradableAccount } from '../../core/orders/tradable-account.ts';
import { sameAccountError } from '../../core/settings/account-names.ts';
import { foreignCurrency } from '../../core/text/sanitize-text.ts';
import { listNames } from '../analytics/names.ts';
import type { Plan, PlanRequest } from '../planner/plan-types.ts';

/** Another account as it was read. */
interface CountedAccount {
  readonly name: string;
  readonly account: TradableAccount;
}

/** What a plan needs of the accounts that it counts. */
export interface Counted {
  /** The name of the account that the plan is for. */
  readonly name: string;
  readonly others: readonly CountedAccount[];
}

/** Throws `invalid_argument` where a plan has no weights that could be over all accounts. */
export function checkWeights({ targets }: Pick<PlanRequest, 'targets'>, isRecurring: boolean): void {
  if (isRecurring)
    throw new BrokerageError(
      'invalid_argument',
      'A recurring plan has the weights of one account, so every excludes weightsOver.',
      'Omit one of them.',
    );
  if (!targets)
    throw new BrokerageError(
      'invalid_argument',
      'weightsOver needs targets, because their weights are what it is about.',
      'Give targets with weightPercent, or omit weightsOver.',
    );
}

/**
 * Reads the other accounts. Throws when one cannot be read, with its code and the fact `missing`; `not_configured` where
 * two names are of one account, and `invalid_argument` where the currencies differ.
 */
export async function readOthers(
  beside: readonly AccountBeside[],
  own: { readonly name: string; readonly account: TradableAccount },
  context: CallContext,
): Promise<Counted> {
  const others = await Promise.all(
    beside.map(async (one) => ({
      name: one.name,
      account: await one.read(context).catch((error: unknown) => {
        throw error instanceof BrokerageError && error.code !== 'cancelled' ? unreadable(one.name, error) : error;
      }),
    })),
  );
  const all = [own, ...others];
  for (const [index, { name, account }] of all.entries()) {
    const { id } = account.snapshot.summary;
    const same = id && all.slice(0, index).find((one) => one.account.snapshot.summary.id === id);
    if (same) throw sameAccountError(same.name, name);
  }
  const currencies = new Set(all.map(({ account }) => foreignCurrency(account.snapshot.summary.currency)));
  if (currencies.size > 1) throw differentCurrencies([...currencies]);
  return { name: own.name, others };
}

const unreadable = (account: string, { code, message, next, facts }: BrokerageError): BrokerageError =>
  new BrokerageError(code, `The weights over all accounts are unknown, because ${account} cannot be read.`, next, {
    ...facts,
    missing: [{ account, code, message, next }],
  });

const differentCurrencies = (currencies: readonly (string | undefined)[]): BrokerageError =>
  new BrokerageError(
    'invalid_argument',
    `The accounts have different currencies (${listNames(currencies.map((one) => one ?? 'unknown'))}), so there are no weights over all of them.`,
    'Omit weightsOver.',
  );

/** The cash of all accounts, in their currency. Throws `unexpected_answer` when a service did not report it. */
export function sumCash(own: string, { others }: Counted): string {
  return others
    .reduce((sum, { name, account: { cash } }) => {
      if (cash) return sum.plus(cash);
      throw new BrokerageError(
        'unexpected_answer',
        `The service did not report the available cash of ${name}.`,
        'Call plan_orders again later, or omit weightsOver.',
      );
    }, new Big(own))
    .toFixed();
}

/** What the figures of a plan count, and what it would sell if the other accounts were its own. */
export function describeCounted(
  { name, others }: Counted,
  { heldElsewhere }: Pick<Plan, 'heldElsewhere'>,
  money: (amount: string) => string,
): string[] {
  const names = others.map((one) => one.name);
  return [
    `Weights are of the tickers and the cash in ${listNames([name, ...names])}; every order is of ${name}.`,
    ...heldElsewhere.map(({ ticker, value }) => {
      const holders = others.filter(({ account }) => account.getShares(ticker).afterPending.gt(0));
      const where = holders.length > 0 ? holders.map((one) => one.name) : names;
      return `${ticker}: ${money(value)} above its target is in ${listNames(where)}, and is not sold by this plan.`;
    }),
  ];
}
