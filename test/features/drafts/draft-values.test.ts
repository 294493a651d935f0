/** What the open drafts are worth, over a real server and a simulated service. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { getTicker } from '../../../src/core/endpoints/instruments.ts';
import type { DraftLeg, OpenedDraft } from '../../../src/features/drafts/book/draft.ts';
import { valueDrafts } from '../../../src/features/drafts/draft-values.ts';
import { openMarketsAt, setup } from '../../support/setup.ts';

const context = { priority: 'read', deadlineAt: openMarketsAt + 50_000 } as const;

/** A draft of these legs; of a draft, the values need its id alone. */
const draftOf = (id: string, legs: readonly Partial<DraftLeg>[]) =>
  ({ draft: { id }, latest: { legs } }) as OpenedDraft;

const buy = (ticker: string, limitPrice: string): DraftLeg => ({
  type: 'LIMIT',
  ticker,
  side: 'BUY',
  quantity: '2',
  limitPrice,
  timeValidity: 'DAY',
});

/** A server that has read its instruments, one in pounds, and a position in dollars with the rate that it shows. */
async function open() {
  const made = await setup({ startAt: openMarketsAt });
  const { broker, directory } = made.composed.services.drafts;
  const { instruments } = await directory.instruments(context);
  const positions = (await broker.call(endpoints.listPositions, {}, context)).data;
  const dollars = positions.find(({ instrument }) => instrument?.currency === 'USD');
  const pounds = instruments.find(({ currencyCode }) => currencyCode === 'GBP');
  if (!dollars || !pounds?.ticker) throw new Error('The sandbox has no such instruments.');
  const rate = new Big(dollars.walletImpact?.currentValue ?? 0).div(
    new Big(dollars.quantity ?? 0).times(dollars.currentPrice ?? 0),
  );
  const reads = () => made.simulator.log.length;
  return {
    deps: { broker, directory, clock: made.clock },
    pounds: pounds.ticker,
    dollars: String(getTicker(dollars)),
    rate,
    reads,
  };
}

test('drafts in one currency have their sums without a request', async () => {
  const { deps, pounds, reads } = await open();
  const before = reads();
  const drafts = [draftOf('a', [buy(pounds, '10')]), draftOf('b', [{ ...buy(pounds, '5'), side: 'SELL' }])];
  expect(await valueDrafts(drafts, deps, context)).toEqual({
    // 2 × £10, and 2 × £5.
    drafts: { a: { buys: { GBP: '20.00' }, sells: {} }, b: { buys: {}, sells: { GBP: '10.00' } } },
    all: { buys: { GBP: '20.00' }, sells: { GBP: '10.00' } },
  });
  expect(reads()).toBe(before);
});

test('drafts in several currencies have one sum each, in the currency of the account', async () => {
  const { deps, pounds, dollars, rate } = await open();
  const drafts = [draftOf('a', [buy(pounds, '10'), buy(dollars, '50')]), draftOf('b', [buy(dollars, '7')])];
  // Another position in dollars may show a rate that differs in its rounding.
  const { drafts: values, all } = await valueDrafts(drafts, deps, context);
  const [first, second] = [values.a?.buys, values.b?.buys];
  expect([first, second].map((side) => Object.keys(side ?? {}))).toEqual([['GBP'], ['GBP']]);
  expect(Number(first?.GBP)).toBeCloseTo(rate.times(100).plus(20).toNumber(), 1);
  expect(Number(second?.GBP)).toBeCloseTo(rate.times(14).toNumber(), 1);
  expect(all?.buys).toEqual({ GBP: new Big(first?.GBP ?? 0).plus(second?.GBP ?? 0).toFixed(2) });
});

test('without the account the sums stay in the currencies of the prices', async () => {
  const { deps, pounds, dollars } = await open();
  const drafts = [draftOf('a', [buy(pounds, '10'), buy(dollars, '50')])];
  // The deadline has passed, so the service is not asked.
  const late = { ...context, deadlineAt: openMarketsAt - 1, notBefore: openMarketsAt + 1_000_000 };
  expect((await valueDrafts(drafts, deps, late)).drafts).toEqual({
    a: { buys: { GBP: '20.00', USD: '100.00' }, sells: {} },
  });
});

test('with a draft of unknown value there is no sum of all', async () => {
  const { deps, pounds } = await open();
  const drafts = [draftOf('a', [buy(pounds, '10')]), draftOf('b', [buy('UNKNOWN_EQ', '10')])];
  expect(await valueDrafts(drafts, deps, context)).toEqual({
    drafts: { a: { buys: { GBP: '20.00' }, sells: {} } },
    all: undefined,
  });
});
