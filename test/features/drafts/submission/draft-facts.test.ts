/** What a draft is checked against, when its prices are too old, and what is said of closed markets. */
import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import type { Trade } from '../../../../src/features/analytics/trades.ts';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import {
  findDependent,
  readCharges,
  readFacts,
  refuseStale,
  warnClosedMarkets,
} from '../../../../src/features/drafts/submission/draft-facts.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { makeIntent, paper } from '../../../core/orders/risk/example-account.ts';
import { buy as bought } from '../../gains/trades.ts';
import { openStore, type Stored } from './attempts.ts';
import { draftLeg, exchangeWith, factsOf, notHeld, now, toCheck, withPrice, withSummary } from './legs-to-check.ts';

describe('reading', () => {
  const exchanges = exchangeWith();
  const charged = [{ name: 'FEE', amount: new Big('1'), currency: 'GBP' }];
  /** 100 pounds of the ticker were charged one pound. */
  const trades: readonly Trade[] = [bought('2026-01-06', 5, '101', { ticker: 'AAA_EQ', charges: charged })];

  function open(facts: object = {}) {
    const asked: string[] = [];
    const note = (what: string, { priority }: CallContext) => asked.push(`${what} ${priority}`);
    const made = {
      limits: async () => paper,
      clock: { now: () => now },
      directory: {
        getOrThrow: async (ticker: string, context: CallContext) => {
          note(`instrument ${ticker}`, context);
          return factsOf(ticker).instrument;
        },
        exchanges: async (context: CallContext) => {
          note('exchanges', context);
          return { exchanges };
        },
        instruments: async () => ({ byTicker: (ticker: string) => factsOf(ticker).instrument }),
      },
      facts: {
        read: async ({ ticker }: { ticker: string }, context: CallContext) => {
          note(`account ${ticker}`, context);
          return factsOf(ticker, facts);
        },
      },
      history: {
        derive: async (_: object, __: object, { context }: { context: CallContext }) => {
          note('history', context);
          return { value: { trades, quantityDecimals: new Map(), priceDecimals: new Map() }, version: '1', asOf: now };
        },
      },
    };
    return { deps: made as unknown as SubmissionDeps, asked };
  }

  const context: CallContext = { priority: 'lookUp', deadlineAt: now + 50_000 };

  async function read(legs: readonly DraftLeg[], facts: object = {}) {
    const { deps, asked } = open(facts);
    return { ...(await readFacts(deps, legs, context)), asked };
  }

  /** The legs, and whether each waits for the sells of the draft, on an account with these own orders. */
  async function waits(legs: readonly DraftLeg[], facts: object, intents: Stored['intents'] = []) {
    const { deps } = open(facts);
    const known = await readFacts(deps, legs, context);
    const store = await openStore(() => now, { intents });
    const found = await store.read((tx) => findDependent(tx, deps, known, { accountKey: 'account', now }));
    return { ...found, waiting: found.legs.map(({ leg, isDependent }) => [leg.ticker, isDependent]) };
  }

  const sell = (ticker: string) => draftLeg({ ticker, side: 'SELL' });
  const buy = (ticker: string, change: Partial<DraftLeg> = {}) => draftLeg({ ticker, ...change });

  test('sells come first, and each leg keeps its number and its place among its side', async () => {
    const { legs } = await read([buy('A_EQ'), sell('B_EQ'), buy('C_EQ'), sell('D_EQ')]);
    expect(legs.map(({ number, leg }) => `${number} ${leg.side} ${leg.ticker}`)).toEqual([
      '2 SELL B_EQ',
      '4 SELL D_EQ',
      '1 BUY A_EQ',
      '3 BUY C_EQ',
    ]);
  });

  test('a leg has its order without what explains it, and the account as it was read', async () => {
    const { legs, exchanges: found } = await read([buy('AAA_EQ', { reason: 'A text.', price: '20' })]);
    expect(legs[0]).toEqual({
      number: 1,
      leg: buy('AAA_EQ', { reason: 'A text.', price: '20' }),
      order: { type: 'MARKET', ticker: 'AAA_EQ', side: 'BUY', quantity: '10' },
      facts: factsOf('AAA_EQ'),
    });
    expect(found).toBe(exchanges);
  });

  test('everything is read with the priority of the caller', async () => {
    const { asked } = await read([buy('A_EQ'), sell('B_EQ')]);
    expect(asked).toEqual([
      'exchanges lookUp',
      'instrument B_EQ lookUp',
      'account B_EQ lookUp',
      'instrument A_EQ lookUp',
      'account A_EQ lookUp',
    ]);
  });

  test('a leg that cannot be read ends the reading, with the legs before it and the reason', async () => {
    const { deps } = open();
    const missing = new BrokerageError('not_found', 'It is not listed.', 'Search for it.');
    const getOrThrow: typeof deps.directory.getOrThrow = async (ticker, at) => {
      if (ticker === 'B_EQ') throw missing;
      return deps.directory.getOrThrow(ticker, at);
    };
    const directory = { ...deps.directory, getOrThrow };
    const { legs, problem } = await readFacts({ ...deps, directory }, [buy('A_EQ'), buy('B_EQ'), buy('C_EQ')], context);
    expect([legs.map(({ leg }) => leg.ticker), problem]).toEqual([['A_EQ'], missing]);
  });

  test.each([
    ['a cancelled call', new BrokerageError('cancelled', 'It was cancelled.', 'Nothing.')],
    ['a fault of the program', new TypeError('a fault')],
  ])('ends with %s', async (_, error) => {
    const { deps } = open();
    await expect(readFacts(deps, [buy('A_EQ')], context, () => Promise.reject(error))).rejects.toBe(error);
  });

  test('a buy for which the cash is not enough waits for the sells', async () => {
    const given = [buy('A_EQ', { quantity: '1' }), buy('B_EQ'), sell('C_EQ')];
    const { waiting, cash } = await waits(given, withSummary({ cash: { availableToTrade: '100' } }));
    expect(cash?.toFixed()).toBe('100');
    expect(waiting).toEqual([
      ['C_EQ', false],
      ['A_EQ', false],
      ['B_EQ', true],
    ]);
  });

  test('own orders that the account does not show yet take their part of the cash', async () => {
    const given = [buy('A_EQ', { quantity: '1' }), sell('C_EQ')];
    const at = { createdAt: now, changedAt: now, sentAt: undefined };
    const own = makeIntent({ id: 'own', state: 'APPROVED', value: '90', ...at });
    const { waiting, cash, own: found } = await waits(given, withSummary({ cash: { availableToTrade: '100' } }), [own]);
    expect([cash?.toFixed(), found.map(({ id }) => id)]).toEqual(['10', ['own']]);
    expect(waiting).toEqual([
      ['C_EQ', false],
      ['A_EQ', true],
    ]);
  });

  test('every buy waits for the sells where the service reports no cash', async () => {
    const { waiting, cash } = await waits([buy('A_EQ'), sell('C_EQ')], withSummary({ cash: undefined }));
    expect(cash).toBeUndefined();
    expect(waiting).toEqual([
      ['C_EQ', false],
      ['A_EQ', true],
    ]);
  });

  test('the likely charges are those of own fills, in the sequence of the legs', async () => {
    const { deps, asked } = open();
    const { legs } = await readFacts(deps, [buy('AAA_EQ'), sell('BBB_EQ')], context);
    expect(asked).not.toContain('history read');
    expect(await readCharges(deps, legs, context)).toEqual([undefined, '2.00']);
    expect(asked).toContain('history read');
  });
});

describe('a leg is too old to be sent', () => {
  const refuse = (leg: Partial<DraftLeg>, facts: object = {}) => refuseStale(toCheck(draftLeg(leg), { facts }));

  test.each([
    ['100', undefined],
    ['105', undefined],
    ['105.01', 'draft_stale'],
    ['95', undefined],
    ['94.99', 'draft_stale'],
  ])('when its price moved from 100 by more than 5 percent: to %s', (price, rule) => {
    expect(refuse({ price: '100' }, withPrice('AAA_EQ', price))?.rule).toBe(rule);
  });

  test.each<[string, Partial<DraftLeg>, object]>([
    ['no price sized it', {}, {}],
    ['its price was assumed', { price: '1', isPriceAssumed: true }, {}],
    ['no price is known now', { price: '1' }, notHeld],
    ['its price was zero', { price: '0' }, {}],
  ])('unless there is nothing to compare: %s', (_, leg, facts) => {
    expect(refuse(leg, facts)).toBeUndefined();
  });

  test('the reason names the ticker, and how far the price moved', () => {
    expect(refuse({ price: '25' })).toEqual({
      rule: 'draft_stale',
      reason: 'The price of AAA_EQ moved by -20.0% since the draft was made; at most 5% is allowed. Plan again.',
    });
  });
});

describe('the owner is told of closed markets', () => {
  const closed = { date: '2026-01-15T08:00:00Z', type: 'CLOSE' };
  const opens = { date: '2026-01-16T08:00:00Z', type: 'OPEN' };
  const tokyo = { zone: 'Asia/Tokyo' };
  const one = toCheck(draftLeg({ ticker: 'A_EQ' }), { number: 1, facts: tokyo });
  const two = toCheck(draftLeg({ ticker: 'B_EQ' }), { number: 2, facts: tokyo });
  const elsewhere = toCheck(draftLeg({ ticker: 'C_EQ' }), {
    number: 3,
    facts: { ...tokyo, instrument: { ...factsOf('C_EQ').instrument, workingScheduleId: '80' } },
  });
  const other = { id: '2', name: 'Bay Exchange', workingSchedules: [{ id: '80', timeEvents: [closed] }] } as never;
  const warn = (legs: readonly (typeof one)[], ...events: (typeof opens)[]) =>
    warnClosedMarkets({ legs, exchanges: [...exchangeWith(...events), other] }, now).map((text) =>
      text.replace(' Tokyo time', ''),
    );

  test.each<[string, (typeof opens)[]]>([
    ['an open market', [{ date: '2026-01-15T08:00:00Z', type: 'OPEN' }]],
    ['a market of which nothing is known', []],
  ])('and of nothing else: %s', (_, events) => {
    expect(warn([one, two], ...events)).toEqual([]);
  });

  test('with the leg, and with the full date in the time of the account', () => {
    expect(warn([two], closed, opens)).toEqual(['The market of order 2 (B_EQ) is closed. It opens 16 Jan 2026 17:00.']);
  });

  test('with one sentence for all legs that wait for the same moment', () => {
    expect(warn([one, elsewhere, two], closed, opens)).toEqual([
      'The market of orders 1 (A_EQ), 2 (B_EQ) is closed. It opens 16 Jan 2026 17:00.',
      'The market of order 3 (C_EQ) is closed. It opens at an unknown time.',
    ]);
  });
});
