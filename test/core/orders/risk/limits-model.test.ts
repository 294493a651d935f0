/**
 * The limits and what is reserved, against a model that sums what the log of the service shows (limits-model.ts): random
 * orders, drafts, approvals, losses and days through the real order path. The program must permit and refuse exactly
 * what the model does, with the same amounts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import type { Refusal } from '../../../../src/core/orders/intent/refusal.ts';
import { getFormTotal } from '../../../../src/features/drafts/submission/announce-approval.ts';
import { discardDraft } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type { Submission } from '../../../../src/features/drafts/submission/submission.ts';
import { runs } from '../../../support/runs.ts';
import { type Attempt, type Fate, fates } from './fake-service.ts';
import {
  type Answer,
  approvalMs,
  dayMs,
  draftMs,
  hourMs,
  inPennies,
  isLost,
  LimitsModel,
  type ModelLimits,
  type ModelOrder,
  minuteMs,
} from './limits-model.ts';
import { createOrderPath, type OrderPath } from './order-path.ts';

type Command =
  | { readonly do: 'place'; readonly ticker: 0 | 1; readonly isSell: boolean; readonly quantity: number }
  | { readonly do: 'approve' | 'decline' | 'search' | 'fill' | 'cancel'; readonly which: number }
  | { readonly do: 'submit'; readonly legs: readonly { readonly isSell: boolean; readonly quantity: number }[] }
  | { readonly do: 'approveDraft' | 'declineDraft' | 'discardDraft' }
  | { readonly do: 'advance'; readonly ms: number }
  /** To the millisecond at which something ends, or the one before. */
  | { readonly do: 'advanceToEnd'; readonly which: number; readonly before: 0 | 1 };

const which = fc.nat({ max: 9 });
const quantity = fc.integer({ min: 1, max: 22 });
const leg = fc.record({ isSell: fc.boolean(), quantity });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('place'), ticker: fc.constantFrom(0, 1), isSell: fc.boolean(), quantity }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('approve'), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('decline', 'search', 'fill', 'cancel'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('submit'), legs: fc.array(leg, { minLength: 1, maxLength: 5 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('approveDraft', 'approveDraft', 'declineDraft', 'discardDraft') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('advance'),
      ms: fc.constantFrom(1, 1_000, 29_000, 58_000, 100_000, 40 * minuteMs, 11 * hourMs),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('advanceToEnd'), which, before: fc.constantFrom(0, 1) }),
  },
) as fc.Arbitrary<Command>;

const fate = fc.oneof({ weight: 10, arbitrary: fc.constant<Fate>('accepted') }, fc.constantFrom(...fates));

/** Small, so that a few orders reach them: sometimes one of them alone, so that none hides another. */
const limitsOfCase: fc.Arbitrary<ModelLimits> = fc.record({
  maxOrderValue: fc.constant('200'),
  maxDayValue: fc.constantFrom('150', '250', '600', '6000'),
  ordersPerMinute: fc.constantFrom(1, 3, 30),
  ordersPerHour: fc.constantFrom(2, 6, 60),
  ordersPerDay: fc.constantFrom(2, 9, 90),
  maxPendingPerTicker: fc.constantFrom(2, 4, 40),
});

const wide: ModelLimits = {
  maxOrderValue: '200',
  maxDayValue: '6000',
  ordersPerMinute: 30,
  ordersPerHour: 60,
  ordersPerDay: 90,
  maxPendingPerTicker: 40,
};

interface Case {
  readonly limits: ModelLimits;
  readonly isApproved: boolean;
  readonly delayMs: number;
  readonly fates: readonly Fate[];
  readonly commands: readonly Command[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  limits: limitsOfCase,
  isApproved: fc.boolean(),
  delayMs: fc.constantFrom(0, 2_500),
  fates: fc.array(fate, { minLength: 1, maxLength: 30 }),
  commands: fc.array(command, { maxLength: 40, size: 'max' }),
});

const draftsOfCase = 8;
/** What is bought is not sold, so that a fill adds no shares that can be sold. */
const [bought, sold] = [
  ['A_EQ', 'B_EQ'],
  ['C_EQ', 'D_EQ'],
] as const;
const tickers = [
  ...bought,
  ...sold,
  ...Array.from({ length: draftsOfCase }, (_, n) => [`BUY${n}_EQ`, `SELL${n}_EQ`]).flat(),
];

const toRequest = ({ ticker, side, quantity, price }: ModelOrder): OrderRequest => ({
  type: 'LIMIT',
  ticker,
  side,
  quantity: String(quantity),
  limitPrice: String(price / 100),
  timeValidity: 'DAY',
});

const toAnswer = (refusal: Pick<Refusal, 'rule' | 'reason'> | undefined): Answer =>
  refusal && { rule: refusal.rule, reason: refusal.reason };

/** One of the answers; a model without a reason leaves the amounts open. */
function expectOneOf(answers: readonly Answer[], given: Answer, what: string): void {
  const isSame = (answer: Answer) =>
    answer?.rule === given?.rule && (answer?.reason === undefined || answer.reason === given?.reason);
  // Most have one answer, which a failure then shows.
  if (!answers.some(isSame))
    expect({ what, answer: given }).toEqual({ what, answer: answers.length === 1 ? answers[0] : answers });
}

class Play {
  readonly path: OrderPath;
  readonly model: LimitsModel;
  readonly #fates: Fate[];
  /** The orders by their price: each has one of its own, so that none repeats another. */
  readonly #orders = new Map<number, ModelOrder>();
  readonly #nonces = new Map<string, string>();
  #prices = 0;
  #draft: { readonly id: string; readonly number: number } | undefined;
  #drafts = 0;
  #expected: readonly Answer[] = [];

  constructor(path: OrderPath, limits: ModelLimits, fatesOfCase: readonly Fate[]) {
    this.path = path;
    this.model = new LimitsModel(path.service.log, limits);
    this.#fates = [...fatesOfCase];
    path.service.onAttempt = ({ intentId, price }) => this.#onAttempt(intentId, price);
    path.service.onCommit = (intentId, isCommitted) => this.#onCommit(intentId, isCommitted);
  }

  get now() {
    return this.path.clock.now();
  }

  get #context() {
    return { priority: 'place', deadlineAt: this.now + 50_000 } as const;
  }

  #order(ticker: string, isSell: boolean, quantity: number): ModelOrder {
    // Within 20 % of the last price.
    const price = 900 + ((this.#prices++ * 7) % 300);
    const order = { ticker, side: isSell ? 'SELL' : 'BUY', quantity, price } as const;
    this.#orders.set(price, order);
    return order;
  }

  #onAttempt(intentId: string, price: number): Fate {
    const order = this.#orders.get(price) as ModelOrder;
    const draft = this.model.draft;
    if (draft?.legs.includes(order)) draft.begun.set(price, intentId);
    const asked = this.model.asked.get(intentId);
    if (asked) asked.isDecided = true;
    this.#expected = this.model.decide(order, this.now, { self: intentId });
    return this.#fates.length > 1 ? (this.#fates.shift() as Fate) : 'accepted';
  }

  #onCommit(intentId: string, isCommitted: boolean): void {
    const answer = this.#expected.find((one) => (one === undefined) === isCommitted);
    if (!this.#expected.includes(answer) || (isCommitted && answer))
      expect({ isCommitted }).toEqual({ isCommitted: !isCommitted, expected: this.#expected });
    if (!isCommitted) this.model.refused.add(intentId);
  }

  async do(one: Command): Promise<void> {
    switch (one.do) {
      case 'place':
        return this.#place(this.#order((one.isSell ? sold : bought)[one.ticker], one.isSell, one.quantity));
      case 'approve':
        return this.#approve(one.which);
      case 'decline':
        return this.#decline(one.which);
      case 'search':
        return this.#search(one.which);
      case 'fill':
        return this.#end(one.which, 'filled');
      case 'cancel':
        return this.#end(one.which, 'cancelled');
      case 'submit':
        return this.#submit(one.legs);
      case 'approveDraft':
      case 'declineDraft':
      case 'discardDraft':
        return this.#decideDraft(one.do);
      case 'advance':
        return this.#advance(one.ms);
      case 'advanceToEnd':
        return this.#advanceToEnd(one.which, one.before);
    }
  }

  async #place(order: ModelOrder): Promise<void> {
    const { orderManager, clock, service, drafts } = this.path;
    const instrument = await drafts.directory.getOrThrow(order.ticker, this.#context);
    const request = toRequest(order);
    const answers = this.model.decide(order, this.now);
    const checked = await clock.run(orderManager.preview(request, instrument, { ...this.#context, priority: 'read' }));
    expectOneOf(answers, toAnswer(checked.refusal), 'preview');
    const attempts = service.log.length;
    const largest = this.model.largest(order, this.now);
    const placedAt = this.now;
    const reply = await clock.run(orderManager.place(request, instrument, this.#context, { canAsk: true }));
    const isSent = service.log.length > attempts;
    const { outcome, rule, reason = '' } = reply;
    // A rule that changed its mind during a wait was compared in the commit.
    if (!isSent) expectOneOf(answers, outcome === 'refused' ? { rule: rule ?? '', reason } : undefined, 'place');
    if (outcome === 'refused' && !isSent && largest) expect(reply.largestQuantity).toBe(largest.quantity);
    if (outcome !== 'pending_approval') return;
    this.model.asked.set(reply.intentId, { order, createdAt: placedAt, isDecided: false });
    this.#nonces.set(reply.intentId, reply.ask?.nonce ?? '');
  }

  async #approve(index: number): Promise<void> {
    const waiting = [...this.model.asked].filter(([, one]) => !one.isDecided);
    const [id, asked] = waiting[index % waiting.length] ?? [];
    if (id === undefined || !asked) return;
    const { orderManager, clock } = this.path;
    const isOver = this.now >= asked.createdAt + approvalMs;
    const answers = this.model.decide(asked.order, this.now, { self: id });
    const form = {
      nonce: this.#nonces.get(id) ?? '',
      action: 'accept',
      confirmQuantity: String(asked.order.quantity),
    } as const;
    const reply = await clock.run(orderManager.continueAfterForm(toRequest(asked.order), form, this.#context));
    if (isOver) expect(reply?.outcome).toBe('expired');
    else if (answers.length === 1) expect(reply?.outcome === 'refused').toBe(answers[0] !== undefined);
    asked.isDecided = true;
  }

  async #decline(index: number): Promise<void> {
    const waiting = this.model.waiting(this.now);
    const [id, asked] = waiting[index % waiting.length] ?? [];
    if (id === undefined || !asked) return;
    const form = { nonce: this.#nonces.get(id) ?? '', action: 'decline', confirmQuantity: undefined } as const;
    const { orderManager, clock } = this.path;
    const reply = await clock.run(orderManager.continueAfterForm(toRequest(asked.order), form, this.#context));
    expect(reply?.outcome).toBe('declined');
    asked.isDecided = true;
  }

  async #search(index: number): Promise<void> {
    const lost = this.model.lost();
    const one = lost[index % lost.length];
    if (!one) return;
    const { orderManager, clock } = this.path;
    const reply = await clock.run(orderManager.find(one.intentId, this.#context));
    if (reply?.outcome === 'placed') {
      expect(one).toMatchObject({ fate: 'lost after it arrived', orderId: reply.orderId });
      this.model.found.set(one.intentId, this.now);
    } else expect(reply?.outcome).toBe('unknown');
  }

  async #end(index: number, as: 'filled' | 'cancelled'): Promise<void> {
    const open = this.path.service.log.filter(({ state }) => state === 'open');
    const one = open[index % open.length];
    if (one) this.path.service.end(one, as);
  }

  async #submit(wanted: readonly { readonly isSell: boolean; readonly quantity: number }[]): Promise<void> {
    const number = this.#drafts;
    if (number >= draftsOfCase) return;
    const { submissions, clock } = this.path;
    const legs = wanted.map(({ isSell, quantity }) =>
      this.#order(`${isSell ? 'SELL' : 'BUY'}${number}_EQ`, isSell, quantity),
    );
    const { draftId } = await clock.run(this.path.saveDraft(legs.map(toRequest)));
    this.#drafts += 1;
    const isOpen = this.model.openDraft(this.now) !== undefined;
    const answers = this.model.decideDraft(legs, this.now);
    const submitted = await clock
      .run(submissions.create({ draftId, version: 1 }, this.#context))
      .catch((error: { code: string }) => error.code);
    if (isOpen || typeof submitted === 'string')
      return expect(submitted).toBe(isOpen ? 'submission_open' : 'submitted');
    expectOneOf(answers, submitted.kind === 'refused' ? toAnswer(submitted.refusal) : undefined, 'submit');
    if (submitted.kind === 'refused') return;
    const { id, state, endsAt } = submitted.submission;
    this.#draft = { id: draftId, number };
    this.model.draft = { submissionId: id, legs, begun: new Map(), isSending: state === 'sending', endsAt };
    expect(endsAt).toBe(
      this.now + (state === 'sending' ? draftMs : approvalMs + Math.max(0, legs.length - 3) * 10_000),
    );
  }

  async #decideDraft(how: 'approveDraft' | 'declineDraft' | 'discardDraft'): Promise<void> {
    const draft = this.model.openDraft(this.now);
    if (!draft || !this.#draft) return;
    const { clock, journal, approvals, drafts } = this.path;
    if (how === 'discardDraft') {
      await clock.run(discardDraft(drafts, this.#draft.id));
      this.model.draft = undefined;
      return;
    }
    if (draft.isSending) return;
    const submission = await journal.read((tx) => tx.findSubmission(draft.submissionId));
    const { nonce = '', ticket } = submission?.approval ?? {};
    if (how === 'declineDraft') {
      expect(await clock.run(approvals.declineForm(nonce))).toEqual({ kind: 'rejected' });
      this.model.draft = undefined;
      return;
    }
    const confirmTotal = ticket && getFormTotal(ticket);
    const decision = await clock.run(approvals.confirm({ nonce, confirmLegs: draft.legs.length, confirmTotal }));
    expect(decision).toEqual({ kind: 'approved' });
    draft.isSending = true;
    draft.endsAt = this.now + draftMs;
  }

  async #advance(ms: number): Promise<void> {
    await this.path.clock.advance(ms);
  }

  async #advanceToEnd(index: number, before: 0 | 1): Promise<void> {
    const { model, now } = this;
    const draft = model.openDraft(now);
    const sentOrAsked = model.times(now).flatMap((at) => [at + minuteMs, at + hourMs, at + dayMs]);
    const approvals = model.waiting(now).map(([, { createdAt }]) => createdAt + approvalMs);
    const ends = [...sentOrAsked, ...approvals, ...(draft ? [draft.endsAt] : [])].filter((at) => at > now);
    const at = ends.toSorted((a, b) => a - b)[index % Math.max(1, ends.length)];
    if (at !== undefined) await this.#advance(at - before - now);
  }

  /** The background loop of a server, and what became of the draft. */
  async carryOn(): Promise<void> {
    const { submissions, clock, journal } = this.path;
    await clock.run(submissions.tick());
    await clock.advance(0);
    const draft = this.model.draft;
    if (!draft) return;
    const submission = (await journal.read((tx) => tx.findSubmission(draft.submissionId))) as Submission | undefined;
    const isOpen = submission?.state === 'sending' || submission?.state === 'awaiting_approval';
    const isOpenHere = this.model.openDraft(this.now) !== undefined;
    // Its limits were reserved, so nothing but another lost order stops it.
    if (!isOpen && isOpenHere) expect([submission?.rule, this.model.lost().length > 0]).toEqual(['open_unknown', true]);
    else expect(isOpen).toBe(isOpenHere);
    if (!isOpen) this.model.draft = undefined;
  }
}

/** In every window of the log, without the model. */
function checkLog(log: readonly Attempt[], limits: ModelLimits): void {
  const exists = log.filter((one) => one.orderId !== undefined || isLost(one));
  const committed = log.filter(({ fate }) => fate !== 'over the rate limit');
  for (const { at } of log) {
    const within = (list: readonly Attempt[], ms: number) => list.filter((one) => one.at <= at && one.at > at - ms);
    const value = within(exists, dayMs).reduce((total, one) => total + inPennies(one), 0);
    expect(value).toBeLessThanOrEqual(Number(limits.maxDayValue) * 100);
    expect(within(committed, minuteMs).length).toBeLessThanOrEqual(limits.ordersPerMinute);
    expect(within(committed, hourMs).length).toBeLessThanOrEqual(limits.ordersPerHour);
    expect(within(committed, dayMs).length).toBeLessThanOrEqual(limits.ordersPerDay);
  }
}

async function play({ limits, isApproved, delayMs, fates: fatesOfCase, commands }: Case): Promise<void> {
  const path = await createOrderPath({ tickers, limits, isApproved, delayMs });
  const played = new Play(path, limits, fatesOfCase);
  try {
    for (const one of commands) {
      await played.do(one);
      await played.carryOn();
    }
    checkLog(path.service.log, limits);
  } finally {
    await path.submissions.stop();
    await path.close();
  }
}

const place = (ticker: 0 | 1, quantity: number, isSell = false): Command => ({ do: 'place', ticker, isSell, quantity });
const example = (few: Partial<ModelLimits>, change: Partial<Case>, ...commands: readonly Command[]): [Case] => [
  { limits: { ...wide, ...few }, isApproved: false, delayMs: 0, fates: ['accepted'], ...change, commands },
];

/** What random days reach too seldom. 16 shares cost at least 146.88 with the margin. */
const examples: [Case][] = [
  // An order that waited for a person counts until a day after it was sent, and not after it was created.
  example(
    { maxDayValue: '150' },
    { isApproved: true },
    place(0, 16),
    { do: 'advance', ms: 100_000 },
    { do: 'approve', which: 0 },
    { do: 'advanceToEnd', which: 2, before: 1 },
    place(0, 16),
    { do: 'advanceToEnd', which: 2, before: 0 },
    place(0, 16),
  ),
  // The legs of a draft that waits count in the orders of an hour, and of a day.
  ...[{ ordersPerHour: 2 }, { ordersPerDay: 2 }].map((few) =>
    example(
      few,
      { isApproved: true },
      { do: 'submit', legs: [1, 2].map((quantity) => ({ isSell: false, quantity })) },
      place(0, 1),
      { do: 'discardDraft' },
      place(0, 1),
    ),
  ),
  // A leg that was sent counts as an order, and no longer as a leg.
  example(
    { maxDayValue: '150', ordersPerMinute: 1 },
    {},
    { do: 'submit', legs: [5, 5].map((quantity) => ({ isSell: false, quantity })) },
    place(0, 5),
    place(0, 6),
  ),
  // A lost order counts as placed, on every ticker.
  example({ maxDayValue: '150' }, { fates: ['lost on the way', 'accepted'] }, place(0, 16), place(1, 16), place(1, 1)),
  // An order that the service refused is not spent, and counts in the number of orders.
  example(
    { maxDayValue: '160', ordersPerHour: 2 },
    { fates: ['refused', 'accepted'] },
    place(0, 16),
    place(0, 16),
    place(0, 1),
  ),
  // An order that waited for a person in vain takes no shares from the millisecond at which its time is over.
  example(
    {},
    { isApproved: true },
    place(0, 15, true),
    place(0, 15, true),
    { do: 'advance', ms: approvalMs - 1 },
    place(0, 1, true),
    { do: 'advance', ms: 1 },
    place(0, 15, true),
  ),
];

describe.each([
  ['some', 1, []],
  ['many', 3, ['slow']],
])('%s random days', (_name, times, tags) => {
  test('orders and drafts pass and are refused as the log of the service says', { tags }, () =>
    fc.assert(fc.asyncProperty(cases, play), { numRuns: runs(160, 4) * times, examples }),
  );
});
