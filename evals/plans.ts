/** What an assistant plans for a person who has an outcome in mind, not orders. Nothing is sent. */
import Big from 'big.js';
import { addAll, divide, multiply, smaller, subtract, toFraction } from '../checks/gains/fraction.ts';
import { last, penny, rowsOf, rowWhere } from './bodies.ts';
import { plan, planReads, weigh } from './common-steps.ts';
import { raiseWithLeastGain } from './expected/least-gain.ts';
import { worthOf } from './expected/orders.ts';
import { assetOf, heldAssets, heldValue } from './expected/plan-assets.ts';
import {
  describePlan,
  invest,
  type Leg,
  netPrice,
  percentAfter,
  raiseInProportion,
  rebalance,
  toProceeds,
  toTargets,
  totalCharges,
} from './expected/plans.ts';
import { roundTo, toPennyText, toQuantityText } from './expected/rounding.ts';
import { type Method, saleOf, yearGainWith } from './expected/sale-gains.ts';
import type { Body, Eval, Figures, Truth } from './types.ts';

/** The legs, their charges and the cash after them, named as in `describePlan`. */
const planned = (body: Body): Figures => ({
  ...Object.fromEntries(rowsOf(body).map(({ side, ticker, quantity }) => [`${side} ${ticker}`, quantity])),
  charges: body.totals.charges,
  cashAfter: body.cash.after,
});

const targetsOf = (truth: Truth, weights: Readonly<Record<string, number>>) =>
  toTargets(
    Object.keys(weights).map((ticker) => assetOf(truth, ticker)),
    Object.values(weights),
  );

/** All cash of the account may be spent. */
const cashFor = ({ books }: Truth, amount: string) => ({
  amount: toFraction(amount),
  available: toFraction(books.cash.available),
});

const largestLeg = (legs: readonly Leg[]): Figures => {
  const [first] = legs;
  return { largest: first?.asset.ticker ?? 'none', largestQuantity: first ? toQuantityText(first.shares) : '0' };
};

const three = { QNOON_GB_EQ: 30, QDUSK_US_EQ: 41, QVELT_US_EQ: 29 } as const;
const inPlace = { QNOON_GB_EQ: 15, QDUSK_US_EQ: 43, QVELT_US_EQ: 42 } as const;
const funds = { QWRLDl_EQ: 23, ZSANXl_EQ: 48, ZBONDl_EQ: 29 } as const;
const sixtyForty = { QWRLDl_EQ: 60, ZBONDl_EQ: 40 } as const;
const two = { QNOON_GB_EQ: 50, QVELT_US_EQ: 50 } as const;
const leastGainMethods = ['uk_section_104', 'fifo'] as const;
const raised = 3000;

const list: readonly Omit<Eval, 'group'>[] = [
  {
    id: 'band-of-three',
    words:
      'Plan a rebalance of QNOON_GB_EQ, QDUSK_US_EQ and QVELT_US_EQ to 30, 41 and 29 percent, and leave alone what is within 3 points. How many of which would I sell and buy, what would it cost in charges, how much cash would I have then, and what would be the weight of Noonvik?',
    calls: [plan({ goal: 'rebalance', targets: weigh(three), band: 3 })],
    answer: (bodies) => ({
      ...planned(last(bodies)),
      noonvikPercent: fourDecimals(
        rowWhere(last(bodies).weights, ({ ticker }) => ticker === 'QNOON_GB_EQ').percentAfter,
      ),
    }),
    truth: (truth) => {
      const targets = targetsOf(truth, three);
      const legs = rebalance(targets, toFraction('3'), cashFor(truth, '0'));
      const held = addAll(targets.map(({ asset }) => heldValue(asset)));
      return {
        ...describePlan(legs, truth.books.cash.available),
        // Of what is there after the plan: the charges are gone.
        noonvikPercent: percentAfter(legs, assetOf(truth, 'QNOON_GB_EQ'), subtract(held, totalCharges(legs))),
      };
    },
    requests: planReads,
  },
  {
    id: 'within-the-band',
    words:
      'Are Noonvik, Duskvane and Velthane (QNOON_GB_EQ, QDUSK_US_EQ, QVELT_US_EQ) within two points of 15, 43 and 42 percent? If not, plan a rebalance. In figures: how many orders does it take?',
    calls: [plan({ goal: 'rebalance', targets: weigh(inPlace), band: 2 }), { tool: 'list_drafts' }],
    answer: (bodies) => ({
      orders: String(rowsOf(bodies.at(-2) ?? {}).length),
      drafts: String(last(bodies).drafts),
    }),
    truth: (truth) => ({
      orders: String(rebalance(targetsOf(truth, inPlace), toFraction('2'), cashFor(truth, '0')).length),
      drafts: '0',
    }),
    requests: planReads,
  },
  {
    id: 'three-funds',
    words:
      'I have 500 to put into my three funds, which should be 23 % QWRLDl_EQ, 48 % ZSANXl_EQ and 29 % ZBONDl_EQ. Plan it, send nothing: how many of each, what charges, and how much cash is left?',
    calls: [plan({ goal: 'invest', amount: 500, targets: weigh(funds) })],
    answer: (bodies) => planned(last(bodies)),
    truth: (truth) => describePlan(invest(targetsOf(truth, funds), cashFor(truth, '500')), truth.books.cash.available),
    requests: planReads,
  },
  {
    id: 'more-of-the-same',
    words:
      'Plan to put 750 into everything I hold, in proportion. How many orders is that, which is the largest and how many shares is it, what are the charges, and what cash is left?',
    calls: [plan({ goal: 'invest', amount: 750 })],
    answer: (bodies) => inShort(last(bodies)),
    truth: (truth) => {
      const assets = heldAssets(truth);
      const all = addAll(assets.map(heldValue));
      const targets = assets.map((asset) => ({ asset, weight: divide(heldValue(asset), all) }));
      const legs = invest(targets, cashFor(truth, '750'));
      return { orders: String(legs.length), ...largestLeg(legs), ...sums(legs, truth) };
    },
    requests: planReads,
  },
  {
    id: 'buy-for-500',
    words:
      'Plan to buy Velthane Semiconductors (QVELT_US_EQ) for 500 pounds, charges included. How many shares is that, and if it is more than my own limits allow in one order, which rule is it and how many whole shares do they allow?',
    setting: { variables: { BROKER_MAX_ORDER_VALUE: '400' } },
    calls: [plan({ goal: 'invest', amount: 500, targets: weigh({ QVELT_US_EQ: 100 }) })],
    answer: (bodies) => {
      const [leg = {}] = rowsOf(last(bodies));
      return { ...planned(last(bodies)), rule: leg.rule, allowed: leg.largestQuantity };
    },
    truth: (truth) => ({
      ...describePlan(
        invest(targetsOf(truth, { QVELT_US_EQ: 100 }), cashFor(truth, '500')),
        truth.books.cash.available,
      ),
      rule: 'max_order_value',
      // A purchase counts with 2 % above its estimate.
      allowed: String(
        [1, 2, 3, 4, 5].findLast((shares) => new Big(worthOf(truth, 'QVELT_US_EQ', shares)).times('1.02').lte(400)),
      ),
    }),
    requests: planReads,
  },
  {
    id: 'raise-two-thousand',
    words:
      'I need 2,000 pounds after charges. Plan sales of everything in proportion: how many orders, which is the largest and how many shares is it, what are the charges, and what cash would I have?',
    calls: [plan({ goal: 'raise', amount: 2000 })],
    answer: (bodies) => inShort(last(bodies)),
    truth: (truth) => {
      const legs = raiseInProportion(heldAssets(truth), toFraction('2000'));
      return { orders: String(legs.length), ...largestLeg(legs), ...sums(legs, truth) };
    },
    requests: planReads,
  },
  {
    id: 'least-gain',
    words:
      'Plan to raise 3,000 pounds after charges with the least gain, once by the HMRC rules (uk_section_104) and once by fifo. What would I sell in each case, what is my realised gain of the tax year now, and what would it be?',
    calls: leastGainMethods.map((method) => plan({ goal: 'raise', amount: raised, method })),
    answer: (bodies) =>
      Object.assign(
        {},
        ...leastGainMethods.map((method): Figures => {
          const body = bodies.findLast((one) => one.method === method) ?? {};
          return {
            ...named(method, planned(body)),
            [`${method} before`]: body.realisedGain.yearGainBefore,
            [`${method} after`]: body.realisedGain.yearGainAfter,
          };
        }),
      ),
    truth: (truth) =>
      Object.assign({}, ...leastGainMethods.map((method) => named(method, leastGainFigures(truth, method)))),
    requests: planReads,
  },
  {
    id: 'more-than-there-is',
    words:
      'Could I raise 500,000 by selling, and could I invest 100,000 in QVELT_US_EQ if 1,000 has to stay in cash? What is the most in each case?',
    calls: [
      plan({ goal: 'raise', amount: 500_000 }),
      plan({ goal: 'invest', amount: 100_000, keepCash: 1000, targets: weigh({ QVELT_US_EQ: 100 }) }),
    ],
    answer: (bodies) => {
      // The first is asked again while it rests on a part of the history.
      const [sale = {}, purchase = {}] = bodies.slice(-2);
      return { sale: sale.code, mostRaised: sale.most, purchase: purchase.code, mostInvested: purchase.most };
    },
    truth: (truth) => ({
      sale: 'amount_over_holdings',
      mostRaised: mostRaised(truth),
      purchase: 'amount_over_cash',
      mostInvested: penny(new Big(truth.books.cash.available).minus(1000)),
    }),
    requests: planReads,
  },
  {
    id: 'pending-counts',
    words:
      'I have orders waiting. Counting them as done, plan to bring QNOON_GB_EQ and QVELT_US_EQ to half each: how many of which do I sell and buy, what are the charges, and what cash is left?',
    setting: {
      prepare: ({ inject }) => {
        inject.order({ ticker: 'QNOON_GB_EQ', quantity: 40, type: 'LIMIT', limitPrice: 10 });
        inject.order({ ticker: 'QVELT_US_EQ', quantity: -5, type: 'LIMIT', limitPrice: 260 });
      },
    },
    calls: [plan({ goal: 'rebalance', targets: weigh(two) })],
    answer: (bodies) => planned(last(bodies)),
    truth: (truth) =>
      describePlan(rebalance(targetsOf(truth, two), toFraction('1'), cashFor(truth, '0')), truth.books.cash.available),
    requests: planReads,
  },
  {
    id: 'weights-and-names',
    words:
      'Plan 1,000 pounds as 60 % QVELT_US_EQ and 50 % QHALD_US_EQ. If that cannot be, say what the weights add up to; then try 60 % QVELTT_US_EQ and 40 % QHALD_US_EQ, and if that is no ticker, name the nearest one.',
    calls: [
      plan({ goal: 'invest', amount: 1000, targets: weigh({ QVELT_US_EQ: 60, QHALD_US_EQ: 50 }) }),
      plan({ goal: 'invest', amount: 1000, targets: weigh({ QVELTT_US_EQ: 60, QHALD_US_EQ: 40 }) }),
      { tool: 'list_drafts' },
    ],
    answer: ([weights = {}, name = {}, drafts = {}]) => ({
      weights: weights.code,
      sum: weights.total,
      name: name.code,
      nearest: name.nearest?.[0],
      drafts: String(drafts.drafts),
    }),
    truth: () => ({
      weights: 'weights_over_100',
      sum: '110',
      name: 'unknown_ticker',
      nearest: 'QVELT_US_EQ',
      drafts: '0',
    }),
    requests: planReads,
  },
  {
    id: 'a-price-from-me',
    words:
      'Plan to buy Tidewold Packaging (QTIDEl_EQ) for 400 pounds. If you know no price, take 320 pence and make it a limit order for the day. How many shares, at what limit, what charges, and what cash is left?',
    calls: [
      plan({ goal: 'invest', amount: 400, targets: weigh({ QTIDEl_EQ: 100 }) }),
      plan({
        goal: 'invest',
        amount: 400,
        targets: weigh({ QTIDEl_EQ: 100 }),
        assumedPrices: [{ ticker: 'QTIDEl_EQ', price: 320 }],
        orderType: 'LIMIT',
        timeValidity: 'DAY',
      }),
    ],
    answer: (bodies) => {
      const [leg = {}] = rowsOf(last(bodies));
      return { first: bodies[0]?.code, ...planned(last(bodies)), limit: leg.limitPrice, priceFrom: leg.priceFrom };
    },
    truth: (truth) => ({
      first: 'no_price',
      ...describePlan(
        invest(toTargets([assetOf(truth, 'QTIDEl_EQ', '320')], [100]), cashFor(truth, '400')),
        truth.books.cash.available,
      ),
      limit: '320',
      priceFrom: 'assumed',
    }),
    requests: planReads,
  },
  {
    id: 'what-if-i-sold',
    words:
      'If I sold 100 Bramthwick Water (QBRAMl_EQ) at the market now, what would it bring, what would be my gain by the HMRC rules, what would the rest have cost, and what is my gain of the tax year before and after it?',
    calls: [
      // A preview waits for the newest page only, and a cost needs all of them.
      { tool: 'fetch_history', args: { kind: 'orders', limit: 1, waitSeconds: 50 } },
      {
        tool: 'preview_order',
        args: { type: 'MARKET', ticker: 'QBRAMl_EQ', side: 'SELL', quantity: 100, method: 'uk_section_104' },
      },
    ],
    answer: (bodies) => {
      const { proceeds, gain, costLeft, yearGainBefore, yearGainAfter } = last(bodies).whatIf;
      return { proceeds, gain, costLeft, before: yearGainBefore, after: yearGainAfter };
    },
    truth: (truth) => {
      const leg: Leg = { asset: assetOf(truth, 'QBRAMl_EQ'), side: 'SELL', shares: toFraction('100') };
      const sale = { ticker: 'QBRAMl_EQ', shares: leg.shares, proceeds: toProceeds(leg) };
      const { gain, costLeft } = saleOf(truth, truth.at, 'uk_section_104', sale);
      const year = (sales: readonly (typeof sale)[]) =>
        toPennyText(yearGainWith(truth, truth.at, 'uk_section_104', sales));
      return {
        proceeds: toPennyText(sale.proceeds),
        gain: toPennyText(gain),
        costLeft: toPennyText(costLeft),
        before: year([]),
        after: year([sale]),
      };
    },
    requests: planReads,
  },
];

/** On one site: what they keep is about nothing that another one reads. */
const onOneSite: readonly Omit<Eval, 'group' | 'requests'>[] = [
  {
    id: 'sixty-forty',
    words:
      'Bring my world fund and my bond fund (QWRLDl_EQ, ZBONDl_EQ) back to 60 and 40. Only a plan: what would I trade, and what does it cost?',
    calls: [plan({ goal: 'rebalance', targets: weigh(sixtyForty) })],
    answer: (bodies) => planned(last(bodies)),
    truth: (truth) =>
      describePlan(
        rebalance(targetsOf(truth, sixtyForty), toFraction('1'), cashFor(truth, '0')),
        truth.books.cash.available,
      ),
  },
  {
    id: 'for-an-amount-at-a-limit',
    words:
      'I hold no Tidewold (QTIDEl_EQ). Plan to buy it for 250 pounds at no more than 310 pence, good till cancelled.',
    calls: [
      plan({
        goal: 'invest',
        amount: 250,
        targets: weigh({ QTIDEl_EQ: 100 }),
        assumedPrices: [{ ticker: 'QTIDEl_EQ', price: 310 }],
        orderType: 'LIMIT',
        timeValidity: 'GOOD_TILL_CANCEL',
      }),
    ],
    answer: (bodies) => ({ ...planned(last(bodies)), limit: rowsOf(last(bodies))[0]?.limitPrice }),
    truth: (truth) => ({
      ...describePlan(
        invest(toTargets([assetOf(truth, 'QTIDEl_EQ', '310')], [100]), cashFor(truth, '250')),
        truth.books.cash.available,
      ),
      limit: '310',
    }),
  },
  {
    id: 'a-little-of-everything-sold',
    words: 'I need 1,500 pounds. Sell a part of everything, in proportion: how many orders, and what charges?',
    calls: [plan({ goal: 'raise', amount: 1500 })],
    answer: (bodies) => inShort(last(bodies)),
    truth: (truth) => {
      const legs = raiseInProportion(heldAssets(truth), toFraction('1500'));
      return { orders: String(legs.length), ...largestLeg(legs), ...sums(legs, truth) };
    },
  },
  {
    id: 'a-monthly-plan',
    words:
      'On the first of each month, put 200 pounds into my world fund (QWRLDl_EQ). When is the next time, and is anything sent?',
    calls: [
      {
        tool: 'plan_orders',
        args: { goal: 'invest', amount: 200, targets: weigh({ QWRLDl_EQ: 100 }), every: 'month 1' },
      },
      { tool: 'list_drafts' },
    ],
    answer: ([made = {}, listed = {}]) => ({
      plans: String(listed.plans.length),
      same: String(listed.plans[0].planId === made.planId),
      next: listed.plans[0].nextOn,
      sent: String(made.sent),
    }),
    truth: () => ({ plans: '1', same: 'true', next: '2026-02-01', sent: 'false' }),
  },
  {
    id: 'a-weekly-plan',
    words:
      'And every Monday 50 pounds into the bond fund (ZBONDl_EQ). Which plans do I have then, and when is the next Monday?',
    calls: [
      {
        tool: 'plan_orders',
        args: { goal: 'invest', amount: 50, targets: weigh({ ZBONDl_EQ: 100 }), every: 'week monday' },
      },
      { tool: 'list_drafts' },
    ],
    answer: ([made = {}, listed = {}]) => ({
      plans: String(listed.plans.length),
      next: listed.plans.find(({ planId }: Body) => planId === made.planId).nextOn,
    }),
    truth: () => ({ plans: '2', next: '2026-01-19' }),
  },
  {
    id: 'no-plan-any-more',
    words: 'End both plans. Is one left?',
    calls: [
      { tool: 'list_drafts' },
      { tool: 'discard_draft', args: ([listed = {}]) => ({ draftId: listed.plans[0].planId }) },
      { tool: 'discard_draft', args: ([listed = {}]) => ({ draftId: listed.plans[1].planId }) },
      { tool: 'list_drafts' },
    ],
    answer: ([, first = {}, second = {}, left = {}]) => ({
      ended: [first.state, second.state].join(', '),
      plans: String(left.plans?.length ?? 0),
    }),
    truth: () => ({ ended: 'ended, ended', plans: '0' }),
  },
];

const fourDecimals = (percent: string): string => new Big(percent).toFixed(4);
const named = (name: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name} ${key}`, value]));

/** A plan with many legs. */
function inShort(body: Body): Figures {
  const [first = {}] = rowsOf(body);
  return {
    orders: String(rowsOf(body).length),
    largest: first.ticker,
    largestQuantity: first.quantity,
    charges: body.totals.charges,
    cashAfter: body.cash.after,
  };
}

function sums(legs: readonly Leg[], { books }: Truth): Figures {
  const { charges = '', cashAfter = '' } = describePlan(legs, books.cash.available);
  return { charges, cashAfter };
}

function leastGainFigures(truth: Truth, method: Method): Figures {
  const legs = raiseWithLeastGain(
    { account: truth, at: truth.at, method },
    heldAssets(truth),
    toFraction(String(raised)),
  );
  const sales = legs.map((leg) => ({ ticker: leg.asset.ticker, shares: leg.shares, proceeds: toProceeds(leg) }));
  return {
    ...describePlan(legs, truth.books.cash.available),
    before: toPennyText(yearGainWith(truth, truth.at, method, [])),
    after: toPennyText(yearGainWith(truth, truth.at, method, sales)),
  };
}

/** Everything that can be sold, after charges: exactly, rounded down, or in the pennies of its orders. */
function mostRaised(truth: Truth): string {
  const legs = heldAssets(truth).map((asset): Leg => ({ asset, side: 'SELL', shares: asset.sellable }));
  const exact = addAll(legs.map(({ asset, shares }) => multiply(shares, netPrice(asset, 'SELL'))));
  return toPennyText(smaller(roundTo(exact, 2, 'down'), addAll(legs.map(toProceeds))));
}

export const plans: readonly Eval[] = [
  ...list,
  ...onOneSite.map((one) => ({
    ...one,
    requests: { cold: planReads.warm + 3, warm: planReads.warm + 3 },
    shares: true as const,
  })),
].map((one) => ({ ...one, group: 'plans' }));
