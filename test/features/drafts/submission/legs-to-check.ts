/** The legs of a draft on an account of 100 shares of each ticker at 20 pounds, with 50,000 pounds to trade. */
import type { Exchange } from '../../../../src/core/endpoints/index.ts';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import { toOrder } from '../../../../src/features/drafts/book/legs.ts';
import type { LegToCheck } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { account } from '../../../core/orders/risk/example-account.ts';

export { now } from '../../../core/orders/risk/example-account.ts';

/** A market order to buy 10 shares. */
export const draftLeg = (change: Partial<DraftLeg> = {}): DraftLeg => ({
  type: 'MARKET',
  ticker: 'AAA_EQ',
  side: 'BUY',
  quantity: '10',
  ...change,
});

const summary = { id: '7', currency: 'GBP', cash: { availableToTrade: '50000' }, totalValue: '100000' };

/** What is known of the account for a ticker. */
export const factsOf = (ticker: string, change: object = {}): OrderContext =>
  account({
    instrument: { ticker, type: 'STOCK', currencyCode: 'GBP', workingScheduleId: '70' },
    summary,
    positions: [position(ticker)],
    ...change,
  });

const position = (ticker: string, currentPrice = '20') => ({
  instrument: { ticker, currency: 'GBP' },
  quantity: '100',
  quantityAvailableForTrading: '100',
  currentPrice,
});

/** The account with other figures than usual in its summary. */
export const withSummary = (change: object) => ({ summary: { ...summary, ...change } });

/** The account with another last price of a ticker. */
export const withPrice = (ticker: string, price: string) => ({ positions: [position(ticker, price)] });

/** Nothing shows a price, because the ticker is not held. */
export const notHeld = { positions: [] };

/** The first leg of a draft, with an account that differs from the usual by `facts`. */
export function toCheck(
  leg: DraftLeg,
  { facts = {}, ...change }: Partial<Omit<LegToCheck, 'facts'>> & { readonly facts?: object } = {},
): LegToCheck {
  return { number: 1, leg, order: toOrder(leg), facts: factsOf(leg.ticker, facts), isDependent: false, ...change };
}

/** The exchange of all instruments, with these events. */
export const exchangeWith = (...timeEvents: readonly { date: string; type: string }[]): readonly Exchange[] =>
  [{ id: '1', name: 'Port Exchange', workingSchedules: [{ id: '70', timeEvents }] }] as unknown as Exchange[];
