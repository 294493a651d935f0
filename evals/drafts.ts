/** Drafts that a person edits, an assistant sends, and the service does not always take. */
import { add, addAll, subtract, toFraction } from '../checks/gains/fraction.ts';
import { last, penny, rowsOf } from './bodies.ts';
import { accountReads, lookedAround, plan, planReads, weigh } from './common-steps.ts';
import { newOrders } from './expected/orders.ts';
import { assetOf } from './expected/plan-assets.ts';
import { invest, rebalance, toTargets, toValue } from './expected/plans.ts';
import { toPennyText, toQuantityText } from './expected/rounding.ts';
import type { Args, Body, Computed, Eval, ToolStep, Truth, WantedOrder } from './types.ts';

interface NamedLeg {
  readonly ticker: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: number;
  /** Left out: a market order. */
  readonly limitPrice?: number;
}

const toLeg = ({ limitPrice, ...leg }: NamedLeg) =>
  limitPrice === undefined
    ? { type: 'MARKET', ...leg }
    : { type: 'LIMIT', ...leg, limitPrice, timeValidity: 'GOOD_TILL_CANCEL' };

const toWanted = ({ ticker, side, quantity, limitPrice }: NamedLeg): WantedOrder => ({
  ticker,
  quantity: String(side === 'SELL' ? -quantity : quantity),
  ...(limitPrice === undefined
    ? { type: 'MARKET', ends: 'FILLED' }
    : { type: 'LIMIT', limitPrice: String(limitPrice), timeInForce: 'GOOD_TILL_CANCEL', ends: 'pending' }),
});

/** Below their prices, so that they rest. */
const noonvik = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 5, limitPrice: 11 } as const;
const duskvane = { ticker: 'QDUSK_US_EQ', side: 'BUY', quantity: 2, limitPrice: 60 } as const;
const haldersten = { ticker: 'QHALD_US_EQ', side: 'BUY', quantity: 1, limitPrice: 65 } as const;
const bramthwick = { ticker: 'QBRAMl_EQ', side: 'BUY', quantity: 10, limitPrice: 750 } as const;

const save = (...legs: readonly NamedLeg[]): ToolStep => ({ tool: 'save_draft', args: { legs: legs.map(toLeg) } });

const draftOf = (bodies: readonly Body[]): Body => bodies.findLast(({ draftId }) => draftId !== undefined) ?? {};

/** Submits what the newest draft in the results is. */
const submit = (more: Computed<Args> = {}): ToolStep => ({
  tool: 'submit_draft',
  args: (bodies) => {
    const { draftId, version } = draftOf(bodies);
    return { draftId, version, ...(typeof more === 'function' ? more(bodies) : more) };
  },
});

const show: ToolStep = { tool: 'list_drafts', args: (bodies) => ({ draftId: draftOf(bodies).draftId }) };

const outcomes = ({ legs }: Body): string => legs.map(({ outcome }: Body) => outcome).join(', ');
const legsIn = (body: Body): string =>
  rowsOf(body)
    .map(({ side, quantity, ticker }) => `${side} ${quantity} ${ticker}`)
    .join(', ');

const heldOf = ({ books }: Pick<Truth, 'books'>, ticker: string): string =>
  books.positions.find((position) => position.ticker === ticker)?.quantity ?? '0';

const positionIn = (body: Body, ticker: string): string =>
  rowsOf(body).find((row) => row.ticker === ticker)?.quantity ?? '0';

/** The instruments, and the positions for the prices that the legs are kept with. */
const kept = 2;
/** The account, the exchanges, and the newest fills for a ticker that is not held. */
const checked = accountReads + 2;
/** The account when a leg needs it as it is now, or when it is older than 30 seconds. */
const checkedAgain = accountReads;
/** The account, again when a draft is shown after an own order. */
const afterOrders = accountReads;
/** An order is polled once a second until it is in the history. */
const polls = 5;

const halves = { QNOON_GB_EQ: 50, QVELT_US_EQ: 50 } as const;
const poor = 37_700;

/** The plan of the books before the person asked. */
const plannedHalves = ({ before, startedAt, world }: Truth) =>
  rebalance(
    toTargets(
      Object.keys(halves).map((ticker) => assetOf({ books: before, at: startedAt, world }, ticker)),
      Object.values(halves),
    ),
    toFraction('1'),
    { amount: toFraction('0'), available: toFraction(before.cash.available) },
  );

const savings = {
  goal: 'invest',
  amount: 300,
  targets: [
    { ticker: 'QWRLDl_EQ', weightPercent: 25 },
    { ticker: 'ZBONDl_EQ', weightPercent: 75 },
  ],
} as const;

const list: readonly Omit<Eval, 'group'>[] = [
  {
    id: 'changed-in-between',
    words:
      'Keep a draft of 5 Noonvik at 11 pounds and 10 Bramthwick at 750 pence. I changed it in my terminal; add 4 Noonvik more only if I did not, else keep mine and name what is in it now, what it buys for, and where it was changed.',
    calls: [
      save(noonvik, bramthwick),
      {
        command: (bodies) => [
          'drafts',
          'edit',
          String(draftOf(bodies).draftId),
          ...['--version', '1', '--leg', '2', '--quantity', '8'],
        ],
      },
      {
        tool: 'save_draft',
        args: (bodies) => ({
          draftId: draftOf(bodies).draftId,
          version: draftOf(bodies).version,
          legs: [toLeg({ ...noonvik, quantity: 9 }), toLeg(bramthwick)],
        }),
      },
      show,
    ],
    answer: ([, edited = {}, refused = {}, shown = {}]) => ({
      edited: String(edited.exitCode),
      refused: refused.code,
      version: String(shown.version),
      legs: legsIn(shown),
      bought: shown.totals.bought,
      changedIn: shown.edits.at(-1).channel,
    }),
    truth: () => ({
      edited: '0',
      refused: 'draft_changed',
      version: '2',
      legs: 'BUY 5 QNOON_GB_EQ, BUY 8 QBRAMl_EQ',
      // At the limits: 5 at 11 pounds and 8 at 750 pence.
      bought: '115.00',
      changedIn: 'terminal',
    }),
    requests: { cold: kept + checked + 2 * checkedAgain + 1, warm: kept + checked + 2 * checkedAgain },
    scriptedOnly: 'a person edits the draft in between',
  },
  {
    id: 'sell-then-buy',
    words:
      'Plan to bring QNOON_GB_EQ and QVELT_US_EQ to half each and send it. When all is done, how many of each do I hold, and how much cash can I spend?',
    // Without the sale there is no cash for the purchase.
    setting: { prepare: ({ inject }) => inject.transfer(-poor) },
    calls: [
      plan({ goal: 'rebalance', targets: weigh(halves) }),
      submit(),
      {
        tool: 'get_order',
        args: (bodies) => ({ intentId: last(bodies).legs.at(-1).intentId, waitSeconds: 20 }),
      },
      { tool: 'get_account_summary' },
      { tool: 'list_positions' },
    ],
    answer: (bodies) => {
      const [planned = {}, submitted = {}, , summary = {}, held = {}] = bodies.slice(-5);
      return {
        waits: rowsOf(planned)
          .map(({ dependsOnSells }) => (dependsOnSells ? 'yes' : 'no'))
          .join(', '),
        outcome: submitted.outcome,
        noonvik: positionIn(held, 'QNOON_GB_EQ'),
        velthane: positionIn(held, 'QVELT_US_EQ'),
        cash: penny(summary.cash.availableToTrade),
      };
    },
    truth: (truth) => {
      const change = (ticker: string) =>
        addAll(
          plannedHalves(truth)
            .filter(({ asset }) => asset.ticker === ticker)
            .map(({ side, shares }) => (side === 'SELL' ? subtract([0n, 1n], shares) : shares)),
        );
      const after = (ticker: string) =>
        toQuantityText(add(toFraction(heldOf({ books: truth.before }, ticker)), change(ticker)));
      return {
        waits: 'no, yes',
        outcome: 'done',
        noonvik: after('QNOON_GB_EQ'),
        velthane: after('QVELT_US_EQ'),
        cash: penny(truth.books.cash.available),
      };
    },
    orders: (truth) =>
      plannedHalves(truth).map(
        ({ asset, side, shares }): WantedOrder => ({
          ticker: asset.ticker,
          type: 'MARKET',
          quantity: `${side === 'SELL' ? '-' : ''}${toQuantityText(shares)}`,
          ends: 'FILLED',
        }),
      ),
    submitCalls: 1,
    requests: {
      cold: planReads.cold + checkedAgain + 2 + polls + checkedAgain + polls + 2,
      warm: planReads.cold + checkedAgain + 2 + polls + checkedAgain + polls + 2,
    },
    warmUp: lookedAround,
  },
  {
    id: 'one-is-rejected',
    words:
      'Draft at the market: buy 5 QNOON_GB_EQ, 10 XCLOS_US_EQ and 1 QDUSK_US_EQ, and send it. What became of each of them in turn, and what does the draft hold now?',
    calls: [
      save(
        { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 5 },
        // The service takes no purchases of it.
        { ticker: 'XCLOS_US_EQ', side: 'BUY', quantity: 10 },
        { ticker: 'QDUSK_US_EQ', side: 'BUY', quantity: 1 },
      ),
      submit(),
      show,
      { tool: 'get_order', args: ([, sent = {}]) => ({ intentId: sent.legs[0].intentId, waitSeconds: 20 }) },
    ],
    answer: ([, sent = {}, shown = {}]) => ({
      outcome: sent.outcome,
      each: outcomes(sent),
      remaining: String(sent.remainingVersion),
      version: String(shown.version),
      legs: legsIn(shown),
    }),
    truth: () => ({
      outcome: 'stopped',
      each: 'placed, rejected, not_sent',
      remaining: '2',
      version: '2',
      legs: 'BUY 1 QDUSK_US_EQ',
    }),
    orders: [toWanted({ ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 5 })],
    rejected: 1,
    submitCalls: 1,
    requests: {
      cold: kept + checked + 2 + checkedAgain + polls + afterOrders,
      warm: checked + 2 + checkedAgain + polls + 1 + afterOrders,
    },
    warmUp: lookedAround,
  },
  {
    id: 'lost-in-a-draft',
    words:
      'Draft 5 Noonvik at 11 pounds, 2 Duskvane at 60 dollars and 1 Haldersten at 65 dollars, good till cancelled, and send it. If an answer is lost, find out which order it became, and say what was not sent.',
    setting: {
      prepare: ({ faults }) => void faults.push({ endpoint: 'placeLimitOrder', kind: 'resetAfterRead', after: 1 }),
    },
    calls: [
      save(noonvik, duskvane, haldersten),
      submit(),
      {
        tool: 'get_order',
        args: ([, sent = {}]) => ({ intentId: sent.legs[1].intentId }),
        again: ([, sent = {}, ...read]) =>
          last(read).outcome === 'unknown' ? { intentId: sent.legs[1].intentId } : undefined,
        everySeconds: 0.5,
      },
      show,
    ],
    answer: (bodies) => {
      const [, sent = {}] = bodies;
      return {
        outcome: sent.outcome,
        each: outcomes(sent),
        order: bodies.at(-2)?.orderId,
        version: String(last(bodies).version),
        legs: legsIn(last(bodies)),
      };
    },
    truth: (truth) => ({
      outcome: 'stopped',
      each: 'placed, unknown, not_sent',
      order: newOrders(truth).find(({ ticker }) => ticker === duskvane.ticker)?.id ?? 'none',
      version: '2',
      legs: 'BUY 1 QHALD_US_EQ',
    }),
    orders: [noonvik, duskvane].map(toWanted),
    submitCalls: 1,
    requests: { cold: kept + checked + 2 + checkedAgain + 7 + 1, warm: checked + 2 + checkedAgain + 7 + 1 + 1 },
    warmUp: lookedAround,
  },
  {
    id: 'sent-again',
    words:
      'Draft 5 Noonvik at 11 pounds and 2 Duskvane at 60 dollars, good till cancelled, and send it; your program may send that twice. Then the same two once more, on purpose. Which rule stands in the way, and how many orders are there in the end?',
    calls: [
      save(noonvik, duskvane),
      submit(),
      submit(),
      save(noonvik, duskvane),
      submit(),
      submit((bodies) => ({ repeatOf: bodies[1]?.submissionId })),
      { tool: 'list_orders' },
    ],
    answer: ([first = {}, sent = {}, twice = {}, second = {}, refused = {}, repeated = {}, pending = {}]) => ({
      secondAnswer: twice.coalesced === true && twice.submissionId === sent.submissionId ? 'the same' : 'another one',
      drafts: first.draftId === second.draftId ? 'the same' : 'another one',
      rule: refused.rule,
      leg: String(refused.leg),
      repeated: repeated.outcome,
      orders: String(pending.pending),
    }),
    truth: ({ books }) => ({
      secondAnswer: 'the same',
      drafts: 'another one',
      rule: 'duplicate_order',
      leg: '1',
      repeated: 'done',
      orders: String(books.pendingOrders.length),
    }),
    orders: [noonvik, duskvane, noonvik, duskvane].map(toWanted),
    submitCalls: 4,
    requests: { cold: kept + checked + 4 + checkedAgain + 2, warm: checked + 4 + checkedAgain + 3 },
    warmUp: lookedAround,
    scriptedOnly: 'only a script can send a call twice without knowing',
  },
  {
    id: 'stop-the-draft',
    words:
      'Draft 5 Noonvik at 11 pounds, 2 Duskvane at 60 dollars, 1 Haldersten at 65 dollars and 10 Bramthwick at 750 pence, good till cancelled, and send it. Stop, not the rest! What was sent, and what was not?',
    // The third has to wait for the limit of the first minute.
    setting: { variables: { BROKER_ORDERS_PER_MINUTE: '2' } },
    calls: [
      save(noonvik, duskvane, haldersten, bramthwick),
      { ...submit(), runsOn: true },
      {
        tool: 'list_drafts',
        args: ([saved = {}]) => ({ draftId: saved.draftId }),
        again: ([saved = {}, , ...read]) => (placedIn(last(read)) < 2 ? { draftId: saved.draftId } : undefined),
        everySeconds: 0.5,
      },
      { tool: 'discard_draft', args: ([saved = {}]) => ({ draftId: saved.draftId }) },
      { tool: 'list_drafts' },
    ],
    answer: (bodies) => {
      const [, sent = {}] = bodies;
      return {
        outcome: sent.outcome,
        each: outcomes(sent),
        state: bodies.at(-2)?.state,
        open: String(last(bodies).drafts),
      };
    },
    truth: () => ({
      outcome: 'stopped',
      each: 'placed, placed, not_sent, not_sent',
      state: 'discarded',
      open: '0',
    }),
    orders: [noonvik, duskvane].map(toWanted),
    submitCalls: 1,
    // The draft is shown while it runs, so also between its two orders.
    requests: {
      cold: kept + checked + 2 + checkedAgain + afterOrders,
      warm: checked + 2 + checkedAgain + 1 + afterOrders,
    },
    warmUp: lookedAround,
    scriptedOnly: 'a model cannot stop what its own call is doing',
  },
  {
    id: 'every-month',
    words:
      'On the 16th of every month, 300 pounds go into QWRLDl_EQ (25 %) and ZBONDl_EQ (75 %), as I set it up in my terminal. Is there a draft now, from which plan, what is in it, and what does it buy for?',
    // The plan is added a moment before its day.
    setting: { startAt: Date.UTC(2026, 0, 15, 23, 59, 57) },
    calls: [
      { command: ['plans', 'add', 'savings', JSON.stringify(savings), '--every', 'month', '--day', '16'] },
      { command: ['plans', 'due'], afterSeconds: 3 },
      { tool: 'list_drafts' },
      { tool: 'list_drafts', args: (bodies) => ({ draftId: rowsOf(last(bodies))[0]?.draftId }) },
    ],
    answer: ([added = {}, , listed = {}, shown = {}]) => ({
      added: String(added.exitCode),
      drafts: String(listed.drafts),
      source: rowsOf(listed)[0]?.source,
      name: rowsOf(listed)[0]?.name,
      legs: legsIn(shown),
      bought: shown.totals.bought,
    }),
    truth: (truth) => {
      const assets = savings.targets.map(({ ticker }) => assetOf(truth, ticker));
      const percents = savings.targets.map(({ weightPercent }) => weightPercent);
      const legs = invest(toTargets(assets, percents), {
        amount: toFraction(String(savings.amount)),
        available: toFraction(truth.books.cash.available),
      });
      return {
        added: '0',
        drafts: '1',
        source: 'plan savings',
        name: 'savings 2026-01-16',
        legs: legs.map(({ asset, shares }) => `BUY ${toQuantityText(shares)} ${asset.ticker}`).join(', '),
        bought: toPennyText(addAll(legs.map(toValue))),
      };
    },
    requests: { cold: planReads.cold + checkedAgain, warm: planReads.cold + checkedAgain },
    warmUp: lookedAround,
    scriptedOnly: 'a person sets up the plan in between',
  },
  {
    id: 'you-draft-I-submit',
    words:
      'Draft a purchase of 5 Noonvik and a sale of 1 Duskvane at the market. I send it myself in my terminal; can you? Afterwards, how many of each do I hold, and how much cash can I spend?',
    setting: { flags: ['--toolsets', 'account,instruments,orders,history,drafting,status'] },
    calls: [
      save({ ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 5 }, { ticker: 'QDUSK_US_EQ', side: 'SELL', quantity: 1 }),
      submit(),
      { command: ([saved = {}]) => ['drafts', 'submit', String(saved.draftId), '--version', '1'] },
      { tool: 'list_drafts', args: ([saved = {}]) => ({ draftId: saved.draftId }) },
      {
        tool: 'get_order',
        args: (bodies) => ({ orderId: last(bodies).submission.legs[0].orderId, waitSeconds: 20 }),
      },
      { tool: 'get_account_summary' },
      { tool: 'list_positions' },
    ],
    answer: ([, asked = {}, submitted = {}, shown = {}, , summary = {}, held = {}]) => ({
      byTheAssistant: asked.code,
      byThePerson: String(submitted.exitCode),
      state: shown.state,
      outcome: shown.submission.outcome,
      noonvik: positionIn(held, 'QNOON_GB_EQ'),
      duskvane: positionIn(held, 'QDUSK_US_EQ'),
      cash: penny(summary.cash.availableToTrade),
    }),
    truth: ({ books, before }) => ({
      byTheAssistant: 'protocol',
      byThePerson: '0',
      state: 'sent',
      outcome: 'done',
      noonvik: toQuantityText(add(toFraction(heldOf({ books: before }, 'QNOON_GB_EQ')), toFraction('5'))),
      duskvane: toQuantityText(subtract(toFraction(heldOf({ books: before }, 'QDUSK_US_EQ')), toFraction('1'))),
      cash: penny(books.cash.available),
    }),
    orders: [
      toWanted({ ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 5 }),
      toWanted({ ticker: 'QDUSK_US_EQ', side: 'SELL', quantity: 1 }),
    ],
    submitCalls: 1,
    requests: { cold: kept + checked + 2 + checkedAgain + polls + 2, warm: checked + 2 + checkedAgain + polls + 3 },
    warmUp: lookedAround,
    scriptedOnly: 'a person submits the draft in between',
  },
];

const placedIn = ({ submission }: Body): number =>
  (submission?.legs ?? []).filter(({ outcome }: Body) => outcome === 'placed').length;

export const drafts: readonly Eval[] = list.map((one) => ({ ...one, group: 'drafts' }));
