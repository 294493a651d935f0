/** What a draft is now: the sums of its legs, the buys that wait for its sells, and what is left where nothing can be read. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { assessDraft } from '../../../src/features/drafts/assess-draft.ts';
import type { DraftLeg } from '../../../src/features/drafts/book/draft.ts';
import type { SubmissionDeps } from '../../../src/features/drafts/submission/submission.ts';
import { makeIntent } from '../../core/orders/risk/example-account.ts';
import { attempt, waitingLeg } from './submission/attempts.ts';
import { buy, openWorld, type SmallWorldOptions, sell, startAt } from './submission/small-world.ts';

const context = { priority: 'read', deadlineAt: startAt + 50_000 } as const;
/** No order of these tests breaks a limit. */
const wide = { maxOrderValue: '1000000', maxOrderQuantity: '1000000', maxPriceDistance: '1000' };

async function assess(
  legs: readonly DraftLeg[],
  {
    change = () => ({}),
    ...options
  }: SmallWorldOptions & {
    readonly change?: (deps: SubmissionDeps) => Partial<SubmissionDeps>;
  } = {},
) {
  const made = await openWorld({ limits: wide, ...options });
  const { deps } = made.program;
  return made.run(assessDraft({ ...deps, ...change(deps) }, { legs }, context));
}

type Account = Awaited<ReturnType<SubmissionDeps['facts']['read']>>;

/** The account as it was read, with a change. */
const readAs =
  (change: (account: Account) => Account) =>
  ({ facts }: SubmissionDeps) => ({
    facts: { ...facts, read: async (...asked: Parameters<typeof facts.read>) => change(await facts.read(...asked)) },
  });

/** A limit order of CCC is worth its limit, and one of AAA too; the last prices are 5 and 10 pounds. */
const buyFor = (value: number): DraftLeg => buy({ quantity: String(value / 5) });
const sellFor = (value: number, type: DraftLeg['type'] = 'LIMIT'): DraftLeg =>
  sell({
    type,
    quantity: String(value / 10),
    ...(type === 'LIMIT' ? { limitPrice: '10', timeValidity: 'DAY' } : {}),
    ...(type === 'STOP' ? { stopPrice: '10', timeValidity: 'DAY' } : {}),
  });

test('a leg has its estimate, its ticket, the currency of its prices and no refusal', async () => {
  const { legs, complete, asOf, problem, accountId } = await assess([buyFor(100)]);
  expect({ complete, asOf, problem, accountId }).toEqual({
    ...{ complete: true, asOf: startAt, problem: undefined, accountId: '4711' },
  });
  expect(legs).toMatchObject([
    {
      leg: buyFor(100),
      estimate: { value: '100.00', currency: 'GBP' },
      ticket: { number: 1, ticket: { estimate: { value: '100.00', worst: '102.00' } } },
      priceCurrency: 'GBP',
      warnings: [],
      dependsOnSells: false,
    },
  ]);
  expect([legs[0]?.refusal, legs[0]?.repeats, legs[0]?.charges]).toEqual([undefined, undefined, undefined]);
});

test('all legs use one reading of the account', async () => {
  const asked: (number | undefined)[] = [];
  await assess([buyFor(5), buyFor(10), sellFor(10)], {
    change: ({ facts }) => ({
      facts: {
        ...facts,
        read: (instrument, at, notBefore) => {
          asked.push(notBefore);
          return facts.read(instrument, at, notBefore);
        },
      },
    }),
  });
  // The first may be as old as usual, and the others as old as the first.
  expect(asked).toEqual([undefined, startAt, startAt]);
});

test('each ticket has the position after the legs before it in the draft, in which a sale can come last', async () => {
  const sale = sell({ quantity: '4' });
  const { legs } = await assess([buy({ ticker: 'AAA', limitPrice: '10' }), sale]);
  const [bought, sold] = legs.map(({ ticket }) => ticket?.ticket.position);
  expect(Number(bought?.after) - Number(bought?.before)).toBe(1);
  expect([sold?.before, Number(sold?.after) - Number(sold?.before)]).toEqual([bought?.after, -4]);
});

test.each([
  ['a person', true, Number.POSITIVE_INFINITY, 1],
  ['a model', undefined, Number.POSITIVE_INFINITY, 0],
  ['a person, when a leg cannot be read', true, 1, 0],
] as const)('the history of charges is read for %s: %s', async (_, isForPerson, readable, most) => {
  const made = await openWorld({ limits: wide });
  const { deps } = made.program;
  let [reads, derived] = [0, 0];
  const read: typeof deps.facts.read = (...asked) =>
    reads++ < readable
      ? deps.facts.read(...asked)
      : Promise.reject(new BrokerageError('upstream_error', 'The service failed.', 'Try again.'));
  const derive: typeof deps.history.derive = (...asked) => {
    derived++;
    return deps.history.derive(...asked);
  };
  const counting = { ...deps, facts: { ...deps.facts, read }, history: { ...deps.history, derive } };
  await made.run(assessDraft(counting, { legs: [buyFor(10), sellFor(10)], isForPerson }, context));
  expect(Math.min(derived, 1)).toBe(most);
});

test('a repeated trade is named on its leg, and only where this account made it', async () => {
  for (const [accountKey, submissionId] of [
    ['account', 's1'],
    ['other', undefined],
  ] as const) {
    const made = await openWorld({ limits: wide });
    const sent = { createdAt: startAt - 1_000, changedAt: startAt - 1_000, sentAt: startAt - 1_000, accountKey };
    const { type, ticker, side, quantity } = buyFor(35);
    const request = { type, ticker, side, quantity, limitPrice: '5' };
    const leg = { submissionId: 's1', number: 1 };
    const draftId = await made.save([buyFor(35)]);
    const repeated = attempt('s1', startAt - 1_000, { accountKey, draftId, environment: 'demo' });
    await made.store.change(async (tx) => {
      await tx.insertSubmission(repeated, [waitingLeg()]);
      await tx.insert(makeIntent({ id: 'i1', environment: 'demo', ...sent, ticker, request, leg }));
    });
    const { legs } = await made.run(assessDraft(made.program.deps, { legs: [buyFor(5), sellFor(10)] }, context));
    expect(legs.map(({ repeats }) => repeats?.submissionId)).toEqual([submissionId, undefined]);
  }
});

describe('the sums', () => {
  // A purchase is funded with a margin of 2 %. A limit sale brings its value, a market sale 98 % of it, a stop nothing.
  test.each<[string, readonly DraftLeg[], number, readonly [string, string, number, boolean | undefined]]>([
    ['cash covers the buys with their margin', [buyFor(980.35)], 1_000, ['980.35', '0.00', 0, true]],
    ['cash is a penny short of the margin', [buyFor(1_000)], 1_019.99, ['1000.00', '0.00', 0, false]],
    ['a limit sale counts in full', [sellFor(100), buyFor(1_000)], 920, ['1000.00', '100.00', 0, true]],
    ['a market sale counts with 98 %', [sellFor(100, 'MARKET'), buyFor(1_000)], 922, ['1000.00', '100.00', 0, true]],
    ['and not more', [sellFor(100, 'MARKET'), buyFor(1_000)], 921.99, ['1000.00', '100.00', 0, false]],
    ['a stop may never fire', [sellFor(100, 'STOP'), buyFor(1_000)], 1_019.99, ['1000.00', '100.00', 0, false]],
    [
      'only one of two sells brings something',
      [sellFor(100, 'STOP'), sellFor(40), buyFor(1_000)],
      980,
      ['1000.00', '140.00', 0, true],
    ],
  ])('when %s', async (_, legs, cash, [bought, sold, unknownValues, isFunded]) => {
    const { totals } = await assess(legs, { cash });
    expect(totals).toEqual({ currency: 'GBP', bought, sold, unknownValues, cash: String(cash), isFunded });
  });

  test('leave out a leg of unknown value, and count it', async () => {
    const market: DraftLeg = { type: 'MARKET', ticker: 'CCC', side: 'BUY', quantity: '1' };
    const { totals } = await assess([buyFor(10), market], { change: readAs((read) => ({ ...read, positions: [] })) });
    expect(totals).toMatchObject({ bought: '10.00', unknownValues: 1, isFunded: undefined });
  });

  test('of an account that reports no cash say that it is unknown', async () => {
    const cashless = readAs((read) => ({ ...read, summary: { ...read.summary, cash: undefined } }));
    const { totals, complete } = await assess([buyFor(10), sellFor(10)], { change: cashless });
    expect([totals.cash, totals.isFunded, complete]).toEqual([undefined, undefined, true]);
  });
});

describe('a buy waits for the sells', () => {
  // With 102 of cash, buys of 100 are covered with their margin of 2 %.
  test.each<[string, readonly DraftLeg[], readonly boolean[]]>([
    ['when the buys up to it cost more than the cash', [sellFor(50), buyFor(60), buyFor(45)], [false, false, true]],
    ['not when they cost just the cash', [sellFor(50), buyFor(60), buyFor(40)], [false, false, false]],
    ['not when the draft sells nothing', [buyFor(60), buyFor(45)], [false, false]],
    ['not when its sells may never bring anything', [sellFor(50, 'STOP'), buyFor(105)], [false, false]],
    ['and a sale never does', [buyFor(105), sellFor(900)], [true, false]],
  ])('%s', async (_, legs, waits) => {
    const { legs: assessed } = await assess(legs, { cash: 102 });
    expect(assessed.map(({ dependsOnSells }) => dependsOnSells)).toEqual(waits);
    expect(assessed.map(({ ticket }) => ticket?.isDependent)).toEqual(waits);
  });

  test('and then the rule about cash, which sees one order alone, does not refuse it; any other rule does', async () => {
    const rules = async (legs: readonly DraftLeg[], limits: SmallWorldOptions['limits'] = wide) =>
      (await assess(legs, { cash: 102, limits })).legs.map(({ refusal }) => refusal?.rule);
    expect(await rules([sellFor(50), buyFor(105)])).toEqual([undefined, undefined]);
    expect(await rules([buyFor(105)])).toEqual(['cash']);
    // The check of all legs names the first alone, so the second has its own refusal.
    expect(await rules([sellFor(50), buyFor(105), buyFor(110)], { ...wide, maxOrderValue: '104' })).toEqual([
      undefined,
      'max_order_value',
      'max_order_value',
    ]);
  });
});

describe('an account that cannot be read', () => {
  const limited = new BrokerageError('rate_limited', 'The rate limit is used up.', 'Wait.', { retryAfterSeconds: 7 });
  const failsAfter =
    (count: number) =>
    ({ facts }: SubmissionDeps) => {
      let reads = 0;
      const read: typeof facts.read = (...asked) => (reads++ < count ? facts.read(...asked) : Promise.reject(limited));
      return { facts: { ...facts, read } };
    };

  test('leaves the legs from there on without figures, and says why and for how long', async () => {
    const assessed = await assess([buyFor(10), buyFor(20), buyFor(30)], { change: failsAfter(1) });
    const { legs, totals, complete, problem, retryAfterSeconds, asOf, refused } = assessed;
    expect(legs.map(({ estimate, ticket }) => [estimate?.value, ticket?.number])).toEqual([
      ['10.00', 1],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(legs.slice(1)).toEqual(
      [20, 30].map((value) => ({ leg: buyFor(value), warnings: [], dependsOnSells: false })),
    );
    expect({ complete, problem, retryAfterSeconds, asOf, refused }).toEqual({
      complete: false,
      problem: 'The rate limit is used up.',
      retryAfterSeconds: 7,
      asOf: startAt,
      refused: undefined,
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

  test('leaves the currency to the legs that were read, and sells are read first', async () => {
    const { legs, totals } = await assess([buyFor(10), sellFor(20)], { change: failsAfter(1) });
    expect(legs.map(({ estimate }) => estimate?.value)).toEqual([undefined, '20.00']);
    expect(totals.currency).toBe('GBP');
  });

  test('at its first leg leaves all of them without figures, and has no time', async () => {
    const { legs, asOf } = await assess([buyFor(10), buyFor(20)], { change: failsAfter(0) });
    expect([legs.map(({ estimate }) => estimate), asOf]).toEqual([[undefined, undefined], undefined]);
  });

  test('because the store cannot be read leaves the legs without figures too', async () => {
    const broken = new BrokerageError('store_unavailable', 'The disk is full.', 'Free some space.');
    const { legs, complete, problem } = await assess([buyFor(10)], {
      change: ({ store }) => ({ store: { ...store, read: () => Promise.reject(broken) } }),
    });
    expect([legs, complete, problem]).toEqual([
      [{ leg: buyFor(10), warnings: [], dependsOnSells: false }],
      false,
      'The disk is full.',
    ]);
  });
});
