/** What a person sees of a draft before changing it, and the check of all its legs, on the account as it is now. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import { completeLimits } from '../../../src/core/orders/intent/risk-limits.ts';
import { assessDraft, type DraftToAssess, sumSheet } from '../../../src/features/drafts/assess-draft.ts';
import type { DraftLeg } from '../../../src/features/drafts/book/draft.ts';
import { isEndedPhase, isOpenPhase, readDraftSheet } from '../../../src/features/drafts/draft-sheet.ts';
import type { SubmissionDeps } from '../../../src/features/drafts/submission/submission.ts';
import { makeIntent } from '../../core/orders/risk/example-account.ts';
import { buy as bought } from '../gains/trades.ts';
import { openPlanWorld } from './plan-world.ts';
import { attempt } from './submission/attempts.ts';
import { buy, openWorld, type SmallWorld, type SmallWorldOptions, sell, startAt } from './submission/small-world.ts';

const context = { priority: 'read', deadlineAt: startAt + 50_000 } as const;
/** 100 pounds of CCC were charged one pound; nothing shows what a sale is charged. */
const charges = [{ name: 'FEE', amount: new Big('1'), currency: 'GBP' }];
const { history } = openPlanWorld({ trades: [bought('2026-01-06', 20, 101, { ticker: 'CCC', charges })] }).deps;

const depsOf = ({ program }: SmallWorld, parts: Partial<SubmissionDeps> = {}): SubmissionDeps => ({
  ...program.deps,
  history,
  ...parts,
});
const weighted = (leg: DraftLeg, before: string, target: string): DraftLeg => ({
  ...leg,
  weight: { before, target, after: target, change: new Big(target).minus(before).toFixed() },
});
/** A buy of 5 pounds, and a sale of 100. */
const legs = [weighted(buy(), '1', '2'), weighted(sell(), '9', '8')];

async function open(options: SmallWorldOptions = {}, drafted: readonly DraftLeg[] = legs) {
  const made = await openWorld(options);
  const draftId = await made.save(drafted);
  const sheet = (parts: Partial<SubmissionDeps> = {}) =>
    made.run(readDraftSheet(depsOf(made, parts), draftId, context));
  const check = (change: Partial<DraftToAssess> = {}, parts: Partial<SubmissionDeps> = {}) => {
    const draft: DraftToAssess = { legs: drafted, saved: { draftId, version: 1 }, ...change };
    return made.run(assessDraft(depsOf(made, parts), draft, context));
  };
  return { made, draftId, sheet, check };
}

const unreadable = new BrokerageError('rate_limited', 'The limit is used up.', 'Wait.', { retryAfterSeconds: 7 });

describe('the sheet of an open draft', () => {
  test('has its versions, the facts of each leg, the sums after known charges, the weights and the account', async () => {
    const { draftId, sheet } = await open();
    const { draft, versions, legs: shown, limits, ...rest } = await sheet();
    expect(limits).toEqual(completeLimits('demo', {}));
    expect(draft).toMatchObject({ id: draftId, version: 1, state: 'open' });
    expect(versions.map(({ version }) => version)).toEqual([1]);
    expect(rest).toEqual({
      phase: 'open',
      now: startAt,
      // Buys and sells are before charges; the cash after them is 9,000 + 100 - 5 - 0.05.
      totals: {
        ...{ currency: 'GBP', bought: '5.00', sold: '100.00', unknownValues: 0, cash: '9000', isFunded: true },
        ...{ charges: undefined, cashAfter: '9094.95' },
      },
      weights: [
        { ticker: 'CCC', before: '1', target: '2', after: '2' },
        { ticker: 'AAA', before: '9', target: '8', after: '8' },
      ],
      accountId: '4711',
      asOf: startAt,
      names: {},
      currencies: {},
      method: 'none',
    });
    expect(shown.map(({ number, leg, charges: charged, refusal }) => [number, leg, charged, refusal])).toEqual([
      [1, legs[0], '0.05', undefined],
      [2, legs[1], undefined, undefined],
    ]);
    expect(shown.map(({ ticket }) => ticket)).toMatchObject([
      {
        number: 1,
        priceNow: '5',
        isDependent: false,
        ticket: {
          environment: 'demo',
          order: buy(),
          estimate: { value: '5.00', worst: '5.10' },
          position: { before: '1000', after: '1001' },
          warnings: [],
        },
      },
      {
        number: 2,
        priceNow: '10',
        isDependent: false,
        ticket: { environment: 'demo', order: sell(), position: { before: '1000', after: '990' }, warnings: [] },
      },
    ]);
  });

  test('has the names and currencies that are at hand, and how a person approves', async () => {
    const { made, sheet } = await open();
    const { directory, settings } = made.program.deps;
    const byTicker = (ticker: string) => (ticker === 'CCC' ? { name: 'Noon Company', currencyCode: 'GBX' } : undefined);
    const named = { ...directory, lastList: () => ({ byTicker }) } as unknown as typeof directory;
    const { names, currencies, method } = await sheet({
      directory: named,
      settings: { ...settings, approval: 'terminal' },
    });
    expect([names, currencies, method]).toEqual([{ CCC: 'Noon Company' }, { CCC: 'GBX' }, 'terminal']);
  });

  test('has the sum of the charges when all are known', async () => {
    const { sheet } = await open({}, [buy()]);
    expect((await sheet()).totals).toMatchObject({ charges: '0.05', cashAfter: '8994.95' });
  });

  test('marks a buy that waits for the sells', async () => {
    const { sheet } = await open({ cash: 5 });
    expect((await sheet()).legs.map(({ ticket }) => ticket?.isDependent)).toEqual([true, false]);
  });

  test('says of each leg what single orders are warned of: the market, the limits, and own orders on the way', async () => {
    const { made, sheet } = await open({ limits: { maxPriceDistance: '5' } }, [buy({ limitPrice: '4' })]);
    const own = { environment: 'demo', state: 'APPROVED', owner: 'p1', sentAt: undefined } as const;
    const at = { createdAt: startAt, changedAt: startAt };
    await made.store.change((tx) => tx.insert(makeIntent({ id: 'own', ...own, ...at, value: '8999.00' })));
    const timeEvents = [
      { date: '2026-01-15T14:00:00Z', type: 'CLOSE' },
      { date: '2026-01-15T16:00:00Z', type: 'OPEN' },
    ];
    const exchanges = [{ id: '1', name: 'Exchange', workingSchedules: [{ id: '1', timeEvents }] }];
    const { directory } = made.program.deps;
    const closed = { ...directory, exchanges: async () => ({ exchanges }) } as unknown as typeof directory;
    const [shown] = (await sheet({ directory: closed })).legs;
    const warnings = shown?.ticket?.ticket.warnings ?? [];
    expect(warnings.filter((text) => text.startsWith('The market is closed. It opens today'))).toHaveLength(1);
    expect(warnings.filter((text) => text.startsWith('Cash: '))).toEqual([
      'Cash: Needs about £4.08 with a margin of 2.0%; £1.00 is available.',
    ]);
    expect(warnings.filter((text) => text.startsWith('Limit price: '))).toEqual([
      'Limit price: 20.0% below the last known price 5.',
    ]);
  });

  test('has the refusal of all legs together at the leg that it names', async () => {
    const { sheet } = await open({ limits: { ordersPerHour: 1 } });
    const { refused, legs: shown } = await sheet();
    // Sells are sent first, so the buy is the second order.
    expect(refused).toMatchObject({ rule: 'orders_per_hour', leg: 1 });
    expect(shown.map(({ refusal }) => refusal?.rule)).toEqual(['orders_per_hour', undefined]);
  });

  test('is checked as for a person, who may be asked as often as needed', async () => {
    const { made, draftId, sheet } = await open({ approval: 'page' });
    const asked = { draftId, accountKey: 'account', environment: 'demo' } as const;
    await made.store.change(async (tx) => {
      for (let n = 0; n < 3; n++) await tx.insertSubmission(attempt(`s${n}`, startAt - 1_000 - n, asked), []);
    });
    expect((await sheet()).refused).toBeUndefined();
  });

  test('has its legs without facts when they could not be checked, and reads no ticket', async () => {
    const { made, sheet } = await open();
    const { facts } = made.program.deps;
    let reads = 0;
    const read = () => {
      reads++;
      return Promise.reject(unreadable);
    };
    const { problem, legs: shown } = await sheet({ facts: { ...facts, read } });
    expect([problem, shown.map(({ ticket, charges: charged }) => [ticket, charged]), reads]).toEqual([
      'The limit is used up.',
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
      1,
    ]);
  });

  test('ends with a cancelled call', async () => {
    const { made, sheet } = await open();
    const { facts } = made.program.deps;
    const cancelled = new BrokerageError('cancelled', 'It was cancelled.', 'Nothing.');
    let reads = 0;
    const read: typeof facts.read = (...what) => (++reads > 1 ? Promise.reject(cancelled) : facts.read(...what));
    await expect(sheet({ facts: { ...facts, read } })).rejects.toBe(cancelled);
  });
});

test('the sheet of a draft that waits for approval does not count its own legs a second time', async () => {
  const { made, draftId, sheet } = await open({ approval: 'page', limits: { ordersPerHour: 2 } });
  await made.create({ draftId, version: 1 });
  const { phase, sent, refused, legs: shown } = await sheet();
  expect([phase, sent?.outcome, sent?.version, refused]).toEqual([
    'pending_approval',
    'pending_approval',
    1,
    undefined,
  ]);
  expect(shown.map(({ ticket }) => ticket?.number)).toEqual([1, 2]);
});

test('the sheet of a draft that is being sent has its legs alone, and asks the broker for nothing', async () => {
  const { made, draftId, sheet } = await open();
  await made.create({ draftId, version: 1 });
  const { facts } = made.program.deps;
  const shown = await sheet({ facts: { ...facts, read: () => Promise.reject(unreadable) } });
  const { draft, versions, sent, ...rest } = shown;
  expect([draft.id, versions.length, sent?.outcome]).toEqual([draftId, 1, 'sending']);
  expect(rest).toEqual({
    phase: 'sending',
    now: startAt,
    names: {},
    currencies: {},
    method: 'none',
    legs: [
      { number: 1, leg: legs[0] },
      { number: 2, leg: legs[1] },
    ],
  });
});

test.each([
  ['open', false, false],
  ['pending_approval', true, false],
  ['sending', true, false],
  ['waiting_for_fills', true, false],
  ['sent', false, true],
  ['discarded', false, true],
  ['expired', false, true],
] as const)('of a draft that is %s legs may leave: %s, it has ended: %s', (phase, isOpen, isEnded) => {
  expect([isOpenPhase(phase), isEndedPhase(phase)]).toEqual([isOpen, isEnded]);
});

const totals = { currency: 'GBP', bought: '100.00', sold: '40.00', unknownValues: 0, cash: '1000', isFunded: true };

test.each([
  ['all charges are known', {}, ['1.00', '0.50'], '1.50', '938.50'],
  ['charges are unknown', {}, ['1.00', undefined], undefined, '939.00'],
  ['a value is unknown', { unknownValues: 1 }, ['1.00'], '1.00', undefined],
  ['the cash is unknown', { cash: undefined }, ['1.00'], '1.00', undefined],
])('the cash after a draft when %s', (_, change, amounts, sum, cashAfter) => {
  const given = { ...totals, ...change };
  expect(sumSheet(given, amounts)).toEqual({ ...given, charges: sum, cashAfter });
});

describe('the check of all legs', () => {
  test('passes a draft that can be sent', async () => {
    const { check } = await open();
    expect(await check()).toMatchObject({ complete: true, problem: undefined });
    expect((await check()).refused).toBeUndefined();
  });

  test('names the refusal with its next step, and gives it to the leg that it is about', async () => {
    const { check } = await open({ limits: { ordersPerHour: 1 } });
    const { refused, legs: checked, totals: sums } = await check();
    const refusal = { rule: 'orders_per_hour', reason: refused?.reason, leg: 1 };
    expect(refused).toMatchObject({ ...refusal, next: 'Submit it again later, or send fewer legs.' });
    expect(checked.map(({ refusal: one }) => one?.rule)).toEqual(['orders_per_hour', undefined]);
    expect(sums).toMatchObject({ bought: '5.00', sold: '100.00' });
  });

  test('leaves a leg the rule that it breaks on its own', async () => {
    // It is sized with a price of 4, which is 5 now, and may cost at most 3.
    const { check } = await open({ limits: { maxOrderValue: '3' } }, [{ ...buy(), price: '4' }]);
    const { refused, legs: checked } = await check();
    expect([refused?.rule, checked.map(({ refusal }) => refusal?.rule)]).toEqual(['draft_stale', ['max_order_value']]);
  });

  test('does not run for a draft that waits for approval', async () => {
    const { check } = await open({ limits: { ordersPerHour: 1 } });
    const { refused, complete } = await check({ isSubmitted: true });
    expect([refused, complete]).toEqual([undefined, true]);
  });

  test('that cannot read the account says why and for how long, and has no figures', async () => {
    const { made, check } = await open();
    const { facts } = made.program.deps;
    const read = () => Promise.reject(unreadable);
    const { complete, problem, retryAfterSeconds, totals: sums } = await check({}, { facts: { ...facts, read } });
    expect({ complete, problem, retryAfterSeconds, bought: sums.bought }).toEqual({
      ...{ complete: false, problem: 'The limit is used up.', retryAfterSeconds: 7, bought: '0.00' },
    });
  });

  test.each([
    ['a cancelled call', new BrokerageError('cancelled', 'It was cancelled.', 'Nothing.')],
    ['a fault', new TypeError('a fault')],
  ])('ends with %s', async (_, error) => {
    const { made, check } = await open();
    const { facts } = made.program.deps;
    let reads = 0;
    const read: typeof facts.read = (...what) => (++reads > 1 ? Promise.reject(error) : facts.read(...what));
    await expect(check({}, { facts: { ...facts, read } })).rejects.toBe(error);
  });

  test.each<[string, (draftId: string) => Partial<DraftToAssess>, number, string | undefined]>([
    ['a tool that reads a version of which a person was asked three times', () => ({}), 3, 'approvals_used'],
    ['a tool that reads a version of which a person was asked twice', () => ({}), 2, undefined],
    ['a tool that reads another version', (draftId) => ({ saved: { draftId, version: 2 } }), 3, undefined],
    ['a tool that reads another draft', () => ({ saved: { draftId: 'other', version: 1 } }), 3, undefined],
    ['a tool that reads legs that are not saved', () => ({ saved: undefined }), 3, undefined],
    ['a person', () => ({ isForPerson: true }), 3, undefined],
  ])('refuses as the submit does: %s', async (_, change, count, rule) => {
    const { made, draftId, check } = await open({ approval: 'page' });
    const asked = { draftId, accountKey: 'account', environment: 'demo' } as const;
    await made.store.change(async (tx) => {
      for (let n = 0; n < count; n++) await tx.insertSubmission(attempt(`s${n}`, startAt - 1_000 - n, asked), []);
    });
    expect((await check(change(draftId))).refused?.rule).toBe(rule);
  });

  test.each<[string, number, string, string | undefined]>([
    ['of this account in the last hour', 3_599_999, 'account', 'orders_per_hour'],
    ['of this account an hour ago', 3_600_000, 'account', undefined],
    ['of another account', 1_000, 'other', undefined],
  ])('counts the orders %s', async (_, agoMs, accountKey, rule) => {
    const { made, check } = await open({ limits: { ordersPerHour: 2 } });
    const at = startAt - agoMs;
    const sent = { id: 'own', environment: 'demo', accountKey, createdAt: at, changedAt: at, sentAt: at };
    await made.store.change((tx) => tx.insert(makeIntent(sent)));
    expect((await check()).refused?.rule).toBe(rule);
  });
});
