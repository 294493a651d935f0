/** The sums of a draft, the buys that wait for its sells, and what is left where the account cannot be read. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import type { Refusal } from '../../../../src/core/orders/intent/refusal.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import { type ReviewDeps, reviewLegs } from '../../../../src/features/drafts/book/review-draft.ts';
import { leg, openBook, startAt } from './support.ts';

const cashRule: Refusal = { rule: 'cash', reason: 'The cash is not enough.' };

/** What one leg is worth, and what a check of it alone says. */
interface Checked {
  readonly value?: string | undefined;
  readonly refusal?: Refusal;
  readonly asOf?: number;
  readonly fails?: Error;
}

/** Reviews legs of an account with `cash`; each leg is checked as its entry says, and `asked` collects the calls. */
async function review(
  legs: readonly (readonly [DraftLeg, Checked])[],
  cash: string | 'unknown' | Error = '1000',
  store?: ReviewDeps['drafts']['store'],
) {
  const { deps } = openBook();
  const drafts = store ? { ...deps, store } : deps;
  const asked: (number | undefined)[] = [];
  const read: [ticker: string, notBefore: number | undefined][] = [];
  let next = 0;
  const orderManager = {
    preview: async (_: unknown, __: unknown, { notBefore }: CallContext) => {
      const [, { value, refusal, asOf = startAt, fails }] = legs[next++] as readonly [DraftLeg, Checked];
      asked.push(notBefore);
      if (fails) throw fails;
      const estimate = { value, currency: value === undefined ? undefined : 'GBP' };
      return { preview: { estimate, warnings: ['unusual'] }, refusal, asOf, askedAt: asOf - 5 };
    },
    readAccount: async () => {
      if (cash instanceof Error) throw cash;
      return { cash: cash === 'unknown' ? undefined : new Big(cash) };
    },
  };
  const directory = {
    getOrThrow: async (ticker: string, { notBefore }: CallContext) => {
      read.push([ticker, notBefore]);
      return { ticker, currencyCode: 'GBX' };
    },
  };
  const parts = { directory, orderManager, drafts } as unknown as ReviewDeps;
  const context: CallContext = { priority: 'read', deadlineAt: startAt + 1_000 };
  const result = await reviewLegs(
    parts,
    legs.map(([one]) => one),
    context,
  );
  return { ...result, asked, read };
}

const buy = (value: string | undefined, more: Checked = {}, change: object = {}) =>
  [leg({ ticker: 'BUY_EQ', ...change }), { value, ...more }] as const;
const sell = (value: string | undefined, type: DraftLeg['type'] = 'LIMIT', more: Checked = {}) =>
  [leg({ ticker: 'SELL_EQ', side: 'SELL', type }), { value, ...more }] as const;

test('a reviewed leg has its estimate, the currency of its prices and its warnings', async () => {
  const { legs, complete, asOf, problem } = await review([buy('100')]);
  expect({ legs, complete, asOf, problem }).toEqual({
    legs: [
      {
        leg: leg({ ticker: 'BUY_EQ' }),
        estimate: { value: '100', currency: 'GBP' },
        priceCurrency: 'GBX',
        refusal: undefined,
        repeats: undefined,
        warnings: ['unusual'],
        dependsOnSells: false,
      },
    ],
    complete: true,
    asOf: startAt,
    problem: undefined,
  });
});

test('every leg after the first is compared with an account that is as new', async () => {
  const { asked, asOf } = await review([buy('1'), buy('1', { asOf: startAt + 50 }), buy('1', { asOf: startAt + 90 })]);
  // The first reading was asked for 5 ms before it was returned.
  expect(asked).toEqual([undefined, startAt - 5, startAt - 5]);
  expect(asOf).toBe(startAt);
});

test('the instruments may have any age', async () => {
  const { read } = await review([buy('1'), sell('1')]);
  expect(read).toEqual([
    ['BUY_EQ', undefined],
    ['SELL_EQ', undefined],
  ]);
});

test.each([
  ['this account', 'account', 's1'],
  ['another account', 'other', undefined],
])('a leg repeats a trade that a draft of %s made, and no other', async (_, accountKey, submissionId) => {
  const request = leg({ ticker: 'BUY_EQ', quantity: '7' });
  const sent = { createdAt: startAt - 1_000, changedAt: startAt - 1_000, sentAt: startAt - 1_000, accountKey };
  const asked: unknown[] = [];
  const tx = {
    list: async (query: { accountKey?: string }) => {
      asked.push(query.accountKey);
      const isOwn = query.accountKey === undefined || query.accountKey === accountKey;
      return isOwn ? [{ ...sent, request, leg: { submissionId: 's1', number: 1 }, state: 'PLACED' }] : [];
    },
  };
  const { legs } = await review([buy('1')], '1000', { read: (work) => work(tx as never) });
  expect(legs[0]?.repeats?.submissionId).toBe(submissionId);
  expect(asked).toEqual(['account']);
});

describe('the sums', () => {
  // A purchase is funded with a margin of 2 %. A limit sale brings its value, a market sale 98 % of it, a stop nothing.
  test.each([
    ['cash covers the buys with their margin', [buy('980.39')], '1000', ['980.39', '0.00', 0, true]],
    ['cash is a penny short of the margin', [buy('980.40')], '1000', ['980.40', '0.00', 0, false]],
    ['a limit sale counts whole', [sell('100'), buy('1000')], '920', ['1000.00', '100.00', 0, true]],
    ['a market sale counts with 98 %', [sell('100', 'MARKET'), buy('1000')], '922', ['1000.00', '100.00', 0, true]],
    ['and not more', [sell('100', 'MARKET'), buy('1000')], '921.99', ['1000.00', '100.00', 0, false]],
    ['a stop may never fire', [sell('100', 'STOP'), buy('1000')], '1019.99', ['1000.00', '100.00', 0, false]],
    [
      'only one of two sells brings something',
      [sell('100', 'STOP'), sell('40'), buy('1000')],
      '980',
      ['1000.00', '140.00', 0, true],
    ],
    ['a value is unknown', [buy('10'), buy(undefined)], '1000', ['10.00', '0.00', 1, undefined]],
    ['the cash is unknown', [buy('10'), sell('4')], 'unknown', ['10.00', '4.00', 0, undefined]],
  ] as const)('when %s', async (_, legs, cash, [bought, sold, unknownValues, isFunded]) => {
    const { totals } = await review(legs, cash);
    expect(totals).toEqual({
      currency: 'GBP',
      bought,
      sold,
      unknownValues,
      cash: cash === 'unknown' ? undefined : cash,
      isFunded,
    });
  });

  test('the currency is that of the first leg that has one', async () => {
    expect((await review([buy(undefined), sell('4')])).totals.currency).toBe('GBP');
    expect((await review([buy(undefined)])).totals.currency).toBeUndefined();
  });
});

describe('a buy waits for the sells', () => {
  // With 102 of cash, buys of 100 are covered with their margin of 2 %.
  test.each([
    ['when the buys up to it cost more than the cash', [sell('50'), buy('60'), buy('40.01')], [false, false, true]],
    ['not when they cost just the cash', [sell('50'), buy('60'), buy('40')], [false, false, false]],
    ['not when the draft sells nothing', [buy('60'), buy('40.01')], [false, false]],
    ['not when its sells may never bring anything', [sell('50', 'STOP'), buy('101')], [false, false]],
    [
      'also when only one of its sells brings something',
      [sell(undefined), sell('1'), buy('101')],
      [false, false, true],
    ],
    ['and a sale never does', [buy('101'), sell('900')], [true, false]],
    ['and a buy of unknown value adds nothing', [sell('50'), buy(undefined), buy('100')], [false, false, false]],
  ] as const)('%s', async (_, legs, waits) => {
    const { legs: reviewed } = await review(legs, '102');
    expect(reviewed.map(({ dependsOnSells }) => dependsOnSells)).toEqual(waits);
  });

  test('not when the cash is unknown', async () => {
    const { legs } = await review([sell('50'), buy('1000')], 'unknown');
    expect(legs.map(({ dependsOnSells }) => dependsOnSells)).toEqual([false, false]);
  });

  test('and then the rule about cash, which sees one order alone, does not refuse it; any other rule does', async () => {
    const size: Refusal = { rule: 'max_order_value', reason: 'It is too large.' };
    const rules = async (first: Refusal, cash: string) => {
      const { legs } = await review([sell('50'), buy('101', { refusal: first })], cash);
      return legs.map(({ refusal }) => refusal?.rule);
    };
    expect(await rules(cashRule, '102')).toEqual([undefined, undefined]);
    expect(await rules(cashRule, '1000')).toEqual([undefined, 'cash']);
    expect(await rules(size, '102')).toEqual([undefined, 'max_order_value']);
  });
});

describe('an account that cannot be read', () => {
  const limited = new BrokerageError('rate_limited', 'The rate limit is used up.', 'Wait.', { retryAfterSeconds: 7 });

  test('leaves the legs from there on without figures, and says why and for how long', async () => {
    const { legs, totals, complete, problem, retryAfterSeconds, asOf, asked } = await review([
      buy('10'),
      buy('20', { fails: limited }),
      buy('30'),
    ]);
    expect(legs.map(({ estimate, warnings }) => [estimate?.value, warnings])).toEqual([
      ['10', ['unusual']],
      [undefined, []],
      [undefined, []],
    ]);
    expect(asked).toHaveLength(2);
    expect({ complete, problem, retryAfterSeconds, asOf }).toEqual({
      complete: false,
      problem: 'The rate limit is used up.',
      retryAfterSeconds: 7,
      asOf: startAt,
    });
    expect(totals).toEqual({
      currency: 'GBP',
      bought: '10.00',
      sold: '0.00',
      unknownValues: 2,
      cash: undefined,
      isFunded: undefined,
    });
  });

  test('at its first leg leaves all of them without figures', async () => {
    const { legs, asked } = await review([buy('10', { fails: limited }), buy('20')]);
    expect(legs.map(({ estimate }) => estimate)).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(1);
  });

  test('has no time when nothing of it could be read', async () => {
    expect((await review([buy('20', { fails: limited })])).asOf).toBeUndefined();
  });

  test('for the cash alone leaves the figures of the legs', async () => {
    const { legs, totals, complete } = await review([buy('10')], limited);
    expect([legs[0]?.estimate?.value, totals.cash, totals.isFunded, complete]).toEqual([
      '10',
      undefined,
      undefined,
      true,
    ]);
  });

  test.each([
    ['a cancelled call', new BrokerageError('cancelled', 'The call was cancelled.', 'Nothing.')],
    ['a fault of the program', new TypeError('a fault')],
  ])('is an error for %s', async (_, fails) => {
    await expect(review([buy('10', { fails })])).rejects.toBe(fails);
  });
});
