/** The decisive transaction alone: what it accepts, whatever came before it. */
import { describe, expect, test } from 'vitest';
import { draftDigest, legDigest } from '../../../../src/core/approval/draft-digest.ts';
import type { Clock } from '../../../../src/core/clock.ts';
import type { OrderContext } from '../../../../src/core/orders/account/account-snapshot.ts';
import { readExternalRecord, writeExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import { readHalt } from '../../../../src/core/orders/halt/trading-state.ts';
import type { DraftApproval } from '../../../../src/core/orders/intent/draft-approval.ts';
import { type Approval, approvalDigest, type Intent } from '../../../../src/core/orders/intent/intent.ts';
import { ConcurrentUpdateError, type Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { createCommit } from '../../../../src/core/orders/send/commit.ts';
import type { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder, facts, givenApproval, limits, openJournal, request, startAt } from './approved-order.ts';

async function setup(change: Partial<Intent> = {}, store?: Journal, approval?: 'page' | 'terminal') {
  const clock = createManualClock({ startAt });
  const journal = store ?? (await openJournal(clock));
  const intent: Intent = { ...approvedOrder, ...change };
  await journal.change(async (tx) => {
    if (approval) await tx.set('security', { approval, limits: {}, enrolledAt: startAt });
    await tx.insert(intent);
  });
  const commit = createCommit({
    journal,
    clock,
    processes: { self: 'test', isAlive: (owner) => owner !== 'dead' },
    settings: {
      environment: 'demo',
      origin: 'https://demo',
      liveTrading: false,
      approval,
      haltFile: () => false,
    },
    configuredLimits: {},
    accountKey: async () => 'account',
  });
  return { clock, journal, intent, commit: (read = facts) => commit(intent.id, read) };
}

/** An order with the approval of a human for exactly it. */
function approved(change: Partial<Approval> = {}, intent: Partial<Intent> = {}): Partial<Intent> {
  const order: Intent = { ...approvedOrder, method: 'terminal', ...intent };
  const approval = { ...givenApproval, ...change };
  return { ...order, approval: { ...approval, digest: change.digest ?? approvalDigest(order, approval) } };
}

/** The same account, with another price of the share; undefined for none. */
const atPrice = (currentPrice: string | undefined, change: object = {}): OrderContext =>
  ({ ...facts, positions: [{ ...facts.positions[0], currentPrice }], ...change }) as unknown as OrderContext;

test('an order that is ours, approved and in time may be sent, once', async () => {
  const { commit } = await setup();
  // The response is due in fifteen seconds.
  const times = { sentAt: startAt, answerBy: startAt + 15_000 };
  expect(await commit()).toMatchObject({ state: 'SENDING', sender: 'test', ...times });
  await expect(commit()).rejects.toBeInstanceOf(ConcurrentUpdateError);
});

test('an order does not count against itself in the limits', async () => {
  const { commit } = await setup({ limits: { ...limits, ordersPerMinute: 1 } });
  expect(await commit()).toMatchObject({ state: 'SENDING' });
});

describe('no order is sent that', () => {
  test.each<[string, Partial<Intent>]>([
    ['was decided in another environment', { environment: 'live' }],
    ['was decided for another account', { accountKey: 'other' }],
    ['waits for a human', { state: 'AWAITING_APPROVAL' }],
    ['is on its way', { state: 'SENDING' }],
    ['is unknown', { state: 'UNKNOWN' }],
    ['has been placed', { state: 'PLACED' }],
    ['was declined', { state: 'DECLINED' }],
  ])('%s', async (_, change) => {
    const { commit } = await setup(change);
    await expect(commit()).rejects.toBeInstanceOf(ConcurrentUpdateError);
  });

  test.each<[string, object]>([
    ['time of the last change', { changedAt: 'x' }],
    ['quantity', { request: { ...request, quantity: '-1' } }],
    ['value', { value: 'x' }],
    ['cash', { baseline: { askedAt: startAt, pendingIds: [], position: '1', cash: {}, price: '10' } }],
  ])('has a %s that cannot be read', async (_, damage) => {
    const { commit } = await setup(damage as Partial<Intent>);
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'store_unavailable' });
  });

  test('has a creation time that cannot be read', async () => {
    const { commit, journal, intent } = await setup();
    // The database requires its own column.
    await journal.change((tx) => tx.move(intent.id, 'APPROVED', { state: 'APPROVED', createdAt: null as never }));
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'store_unavailable' });
  });

  test('follows another order of the day whose record is damaged', async () => {
    const { commit, journal, intent } = await setup();
    const other = { ...intent, id: 'b'.repeat(32), fingerprint: 'other', state: 'PLACED', changedAt: null };
    await journal.change((tx) => tx.insert(other as unknown as Intent));
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'store_unavailable' });
  });

  test.each([undefined, null, 'x'])('exceeds the default of a limit that its record has as %j', async (stored) => {
    const limits = {
      ...effectiveLimits('demo', {}, undefined),
      ordersPerMinute: stored,
    } as unknown as Intent['limits'];
    // Thirty orders of the last minute: the default of paper money.
    const { commit, journal, intent } = await setup({ limits });
    await journal.change(async (tx) => {
      for (let number = 1; number <= 30; number++)
        await tx.insert({
          ...intent,
          id: String(number),
          fingerprint: String(number),
          state: 'REJECTED',
          sentAt: startAt,
        });
    });
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'orders_per_minute' });
  });

  test('now breaks a rule', async () => {
    const { commit } = await setup();
    const poorer = {
      ...facts,
      summary: { currency: 'GBP', cash: { availableToTrade: '1' } },
    } as unknown as OrderContext;
    expect(await commit(poorer)).toMatchObject({ state: 'REFUSED', rule: 'cash' });
  });
});

test('an id of no order is not sent', async () => {
  const { journal, commit } = await setup();
  await journal.change((tx) => tx.move(approvedOrder.id, 'APPROVED', { state: 'NOT_SENT', changedAt: startAt }));
  await journal.change((tx) => tx.removeUnsent(['NOT_SENT'], startAt + 1, 1));
  expect(await journal.read((tx) => tx.find(approvedOrder.id))).toBeUndefined();
  await expect(commit()).rejects.toBeInstanceOf(ConcurrentUpdateError);
});

describe('the time of an order', () => {
  test.each<[string, Partial<Intent>, { at?: number; readAt?: number; until: string }]>([
    ['without a human: a minute', {}, { at: 59_999, until: 'SENDING' }],
    ['without a human: a minute', {}, { at: 60_000, until: 'created' }],
    ['with an approval: its end', approved(), { at: 119_999, until: 'SENDING' }],
    ['with an approval: its end', approved(), { at: 120_000, until: 'approval' }],
    // The clock was set back since: clocks differ by five seconds at most.
    ['with an approval that was asked for later', approved({ askedAt: startAt + 5_000 }), { until: 'SENDING' }],
    ['with an approval that was asked for later', approved({ askedAt: startAt + 5_001 }), { until: 'approval' }],
    ['read: a minute and a half', {}, { readAt: -90_000, until: 'SENDING' }],
    ['read: a minute and a half', {}, { readAt: -90_001, until: 'read' }],
  ])('%s (%#)', async (_, change, { at = 0, readAt = at, until }) => {
    const { commit, clock } = await setup({ retryUntil: startAt + 60_000, ...change });
    await clock.advance(at);
    const intent = (await commit({ ...facts, askedAt: startAt + readAt })) as Intent;
    expect(intent).toMatchObject(
      until === 'SENDING' ? { state: until } : { state: 'EXPIRED', reason: expect.stringContaining(until) },
    );
    expect(intent.retryUntil).toBeUndefined();
  });
});

describe('the price of an approved order may move by 1 % of the one that was shown', () => {
  const limit = { ...request, type: 'LIMIT', limitPrice: '10', timeValidity: 'DAY' } as OrderRequest;
  const stop = { ...request, type: 'STOP', stopPrice: '10.50', timeValidity: 'DAY' } as OrderRequest;
  const shownAt = (price: string | undefined) => ({ baseline: { ...approvedOrder.baseline, price } });

  test.each<[string, Partial<Intent>, OrderContext, string]>([
    ['up by 1 %', approved(), atPrice('10.10'), 'SENDING'],
    ['up by more', approved(), atPrice('10.11'), 'EXPIRED'],
    ['down by 1 %', approved(), atPrice('9.90'), 'SENDING'],
    ['down by more', approved(), atPrice('9.89'), 'EXPIRED'],
    ['a stop order, by more', approved({}, { request: stop }), atPrice('10.11'), 'EXPIRED'],
    // Its own price protects it.
    ['a limit order, by more', approved({}, { request: limit }), atPrice('10.11'), 'SENDING'],
    ['an order that no human approved, by more', {}, atPrice('10.11'), 'SENDING'],
    ['never known', approved({}, shownAt(undefined)), atPrice(undefined), 'SENDING'],
    ['no longer known', approved(), atPrice(undefined), 'EXPIRED'],
    ['not known when it was shown', approved({}, shownAt(undefined)), facts, 'EXPIRED'],
    ['shown as zero', approved({}, shownAt('0')), facts, 'EXPIRED'],
  ])('%s', async (_, change, read, state) => {
    const { commit } = await setup(change);
    expect(await commit(read)).toMatchObject({ state });
  });
});

describe('an approval', () => {
  test('is used by the order that it was given for, at the time of the commit', async () => {
    const { commit, clock } = await setup(approved(), undefined, 'terminal');
    await clock.advance(1_000);
    expect(await commit()).toMatchObject({
      state: 'SENDING',
      approval: { nonce: 'nonce', by: 'terminal', approvedAt: startAt, usedAt: startAt + 1_000 },
    });
  });

  test.each<[string, Partial<Intent>, 'page' | 'terminal' | undefined]>([
    ['was not given', approved({ approvedAt: undefined }), 'terminal'],
    ['was given through no channel', approved({ by: undefined }), 'terminal'],
    ['was used before', approved({ usedAt: startAt - 1 }), 'terminal'],
    ['is of another order', approved({ digest: 'f'.repeat(64) }), 'terminal'],
    ['was given for another quantity', { ...approved(), request: { ...request, quantity: '2' } }, 'terminal'],
    ['is weaker than what is in force now', approved({ by: 'page' }, { method: 'page' }), 'terminal'],
    ['is weaker than what was asked for', approved({ by: 'elicitation' }, { method: 'page' }), undefined],
  ])('that %s sends no order', async (_, change, inForce) => {
    const { commit } = await setup(change, undefined, inForce);
    const reason = expect.not.stringContaining('undefined');
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'approval_invalid', reason });
  });

  test.each<[string, Partial<Intent>, 'page' | 'terminal' | undefined, string]>([
    ['is in force now', approved({ by: 'page' }, { method: 'page' }), 'terminal', 'page, but terminal'],
    ['was asked for', approved({ by: 'elicitation' }, { method: 'page' }), undefined, 'elicitation, but page'],
  ])('that is too weak is told with the channel that %s', async (_, change, inForce, which) => {
    const { commit } = await setup(change, undefined, inForce);
    expect(await commit()).toMatchObject({ reason: `The order was approved by ${which} is required.` });
  });

  test('that an order needs and does not have is not called that of a draft', async () => {
    const { commit } = await setup({}, undefined, 'terminal');
    const reason = expect.not.stringContaining('draft');
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'approval_missing', reason });
  });
});

test.each([
  ['alive', 'APPROVED'],
  ['dead', 'REFUSED'],
  ['test', 'REFUSED'],
])(
  'an order of the process "%s" that this one refuses is then %s: its own process decides while it runs',
  async (owner, state) => {
    const { commit, journal, intent } = await setup({ owner });
    const poorer = {
      ...facts,
      summary: { currency: 'GBP', cash: { availableToTrade: '1' } },
    } as unknown as OrderContext;
    const committed = commit(poorer);
    if (state === 'APPROVED') await expect(committed).rejects.toBeInstanceOf(ConcurrentUpdateError);
    await committed.catch(() => undefined);
    expect(await journal.read((tx) => tx.find(intent.id))).toMatchObject({ state });
  },
);

test('a pending order of another program is recorded at the commit', async () => {
  const { commit, journal } = await setup();
  await journal.change((tx) => writeExternalRecord(tx, 'account', { since: startAt - 1_000, nextAt: 0, orders: [] }));
  const createdAt = new Date(startAt - 500).toISOString();
  const foreign = { id: '7', ticker: 'XYZ_EQ', type: 'LIMIT', quantity: '1', initiatedFrom: 'API', createdAt };
  await commit({ ...facts, pending: [foreign] } as unknown as OrderContext);
  expect((await journal.read((tx) => readExternalRecord(tx, 'account')))?.orders).toEqual([
    { id: '7', at: startAt - 500 },
  ]);
});

test('a pending order of another program halts live trading before the order is sent', async () => {
  const clock = createManualClock({ startAt });
  const journal = await openJournal(clock);
  const ofLive = effectiveLimits('live', {}, {});
  const intent: Intent = { ...approvedOrder, environment: 'live', limits: ofLive };
  await journal.change(async (tx) => {
    await tx.set('security', { approval: 'page', limits: {}, enrolledAt: startAt - 200_000 });
    await tx.insert(intent);
  });
  const commit = createCommit({
    ...{ journal, clock, processes: { self: 'test', isAlive: () => true }, configuredLimits: {} },
    settings: {
      ...{ environment: 'live', origin: 'https://live', liveTrading: true, approval: 'page' },
      haltFile: () => false,
    },
    accountKey: async () => 'account',
  });
  const createdAt = new Date(startAt - 500).toISOString();
  const foreign = { id: '7', ticker: 'XYZ_EQ', type: 'LIMIT', quantity: '1', initiatedFrom: 'API', createdAt };
  expect(await commit(intent.id, { ...facts, pending: [foreign] } as unknown as OrderContext)).toMatchObject({
    state: 'REFUSED',
  });
  expect(await journal.read(readHalt)).toMatchObject({ by: 'rule', rule: 'foreign_order' });
});

/** Another order of the account, which is in flight. */
const sending = (intent: Intent, sender: string): Intent => ({
  ...intent,
  id: 'b'.repeat(32),
  state: 'SENDING',
  sentAt: startAt,
  answerBy: startAt + 15_000,
  sender,
});

test('an order waits while another one of the account is in flight', async () => {
  const { commit, journal, intent } = await setup();
  await journal.change((tx) => tx.insert(sending(intent, 'alive')));
  expect(await commit()).toBe('busy');
});

test('an order does not wait for one of another account that is in flight', async () => {
  const { commit, journal, intent } = await setup();
  await journal.change((tx) => tx.insert({ ...sending(intent, 'alive'), accountKey: 'other' }));
  expect(await commit()).toMatchObject({ id: intent.id, state: 'SENDING' });
});

test('an order whose sender died becomes unknown, and blocks its ticker', async () => {
  const { commit, journal, intent } = await setup();
  const other = sending(intent, 'dead');
  await journal.change((tx) => tx.insert(other));
  expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'open_unknown' });
  expect(await journal.read((tx) => tx.find(other.id))).toMatchObject({ state: 'UNKNOWN' });
});

test('an order whose response is overdue twice becomes unknown, though its sender runs', async () => {
  const { commit, journal, intent, clock } = await setup();
  const other = { ...intent, id: 'b'.repeat(32), ticker: 'XYZ_EQ', state: 'SENDING', sentAt: startAt } as const;
  await journal.change((tx) => tx.insert({ ...other, answerBy: startAt + 15_000, sender: 'alive' }));
  await clock.advance(30_001);
  expect(await commit({ ...facts, askedAt: clock.now() })).toMatchObject({ state: 'SENDING' });
});

describe('a leg of a draft', () => {
  const leg = { submissionId: 's1', number: 1 };

  async function setupLeg(change: object, approval?: 'terminal') {
    const store = await openJournal({ now: () => startAt } as Clock);
    const drafts = store as unknown as ReturnType<typeof createJournal<Intent, never>>;
    const place = { accountKey: 'account', environment: 'demo' };
    await drafts.change(async (tx) => {
      const times = { createdAt: startAt, expiresAt: startAt + 1 };
      await tx.insertDraft({ ...place, ...times, id: 'd1', name: undefined, version: 1, state: 'open', source: '' });
      const submission = { ...place, id: 's1', draftId: 'd1', version: 1, state: 'sending', createdAt: startAt };
      await tx.insertSubmission({ ...submission, endsAt: startAt + 1, haltCount: 0, ...change }, [
        { ...leg, state: 'waiting' },
      ]);
    });
    return setup({ leg, method: approval ?? 'none' }, store, approval);
  }

  test('is sent while its submission is', async () => {
    const { commit } = await setupLeg({});
    expect(await commit()).toMatchObject({ state: 'SENDING' });
  });

  test.each([
    ['was stopped', { state: 'stopped' }, 'no longer being sent'],
    ['waits for an approval', { state: 'awaiting_approval' }, 'no longer being sent'],
    ['has no time left', { endsAt: startAt }, 'time'],
  ])('is refused when its submission %s', async (_, change, cause) => {
    const { commit } = await setupLeg(change);
    const reason = expect.stringContaining(cause);
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'submission_ended', reason });
  });

  test('is refused for its submission before any rule', async () => {
    const { commit } = await setupLeg({ state: 'stopped' });
    const summary = { currency: 'GBP', cash: { availableToTrade: '1' } };
    expect(await commit({ ...facts, summary } as unknown as OrderContext)).toMatchObject({ rule: 'submission_ended' });
  });

  test('is refused for its submission before the approval that its draft lacks', async () => {
    const { commit } = await setupLeg({ state: 'stopped' }, 'terminal');
    expect(await commit()).toMatchObject({ rule: 'submission_ended' });
  });

  test('is refused when its submission is no longer stored', async () => {
    const { commit, journal, intent } = await setup();
    await journal.change((tx) => tx.move(intent.id, 'APPROVED', { state: 'APPROVED', leg }));
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'submission_ended' });
  });

  test('is refused when trading was halted since its submission, although the halt was lifted', async () => {
    const { commit } = await setupLeg({ haltCount: -1 });
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'halted' });
  });

  test('without the approval of its draft is refused where a person must approve', async () => {
    const { commit } = await setupLeg({}, 'terminal');
    expect(await commit()).toMatchObject({ state: 'REFUSED', rule: 'approval_missing' });
  });

  describe('with an approved draft', () => {
    const gate = { id: 's1', draftId: 'd1', version: 1, environment: 'demo', accountKey: 'account', haltCount: 0 };
    const approvedDraft = (change: object = {}, digestOf: OrderRequest = request) => {
      const legs = [{ number: 1, digest: legDigest(1, digestOf, undefined) }];
      // The other leg is of another share.
      const ticket = {
        legs: [
          { number: 2, priceNow: '20' },
          { number: 1, priceNow: '10' },
        ],
      } as unknown as DraftApproval['ticket'];
      const approval = { nonce: 'n', askedAt: startAt, expiresAt: startAt + 1, legs, ticket };
      const digest = draftDigest(gate, approval);
      return { approval: { ...approval, digest, approvedAt: startAt, by: 'terminal', ...change } };
    };

    test('is sent', async () => {
      const { commit } = await setupLeg(approvedDraft(), 'terminal');
      expect(await commit()).toMatchObject({ state: 'SENDING' });
    });

    test.each<[string, object, string]>([
      ['that holds for another order', approvedDraft({}, { ...request, quantity: '2' }), 'approval_invalid'],
      ['that was not given', approvedDraft({ approvedAt: undefined }), 'approval_missing'],
      ['that was given by a weaker channel', approvedDraft({ by: 'page' }), 'approval_invalid'],
      ['with another digest', approvedDraft({ digest: 'f'.repeat(64) }), 'approval_invalid'],
      [
        'from the future: the clock was set back since',
        approvedDraft({ approvedAt: startAt + 60_000 }),
        'submission_ended',
      ],
    ])('is refused with an approval %s', async (_, change, rule) => {
      const { commit } = await setupLeg(change, 'terminal');
      expect(await commit()).toMatchObject({ state: 'REFUSED', rule });
    });

    test('expires when the price of a market order moved by more than 1 % since the owner saw it', async () => {
      const { commit } = await setupLeg(approvedDraft(), 'terminal');
      const moved = { ...facts, positions: [{ ...facts.positions[0], currentPrice: '10.11' }] };
      expect(await commit(moved as unknown as OrderContext)).toMatchObject({ state: 'EXPIRED' });
    });
  });
});
