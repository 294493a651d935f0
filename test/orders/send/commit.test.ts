/** The decisive transaction alone: what it accepts, whatever came before it. */
import { describe, expect, test } from 'vitest';
import type { OrderContext } from '../../../src/orders/account/account-snapshot.ts';
import { draftDigest, legDigest } from '../../../src/orders/approval/draft-approval.ts';
import type { DraftApproval } from '../../../src/orders/intent/draft-approval.ts';
import type { Intent } from '../../../src/orders/intent/intent.ts';
import type { OrderRequest } from '../../../src/orders/intent/order-request.ts';
import type { Journal } from '../../../src/orders/intent/ports.ts';
import { effectiveLimits } from '../../../src/orders/intent/risk-limits.ts';
import { ConcurrentUpdateError } from '../../../src/orders/intent/transition.ts';
import { createCommit } from '../../../src/orders/send/commit.ts';
import { createJournal } from '../../../src/store/journal.ts';
import { openEngine } from '../../store/support.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const startAt = Date.UTC(2026, 0, 15, 15);
const request = { type: 'MARKET', ticker: 'ABC_EQ', side: 'BUY', quantity: '1', extendedHours: false } as const;
const facts = {
  instrument: { ticker: 'ABC_EQ', type: 'STOCK', currencyCode: 'GBP' },
  summary: { currency: 'GBP', cash: { availableToTrade: '1000' } },
  positions: [{ instrument: { ticker: 'ABC_EQ', currency: 'GBP' }, quantity: '1', currentPrice: '10' }],
  pending: [],
  fills: [],
  askedAt: startAt,
  asOf: startAt,
} as unknown as OrderContext;

async function setup(change: Partial<Intent> = {}, store?: Journal, approval?: 'terminal') {
  const clock = createManualClock({ startAt });
  const journal = store ?? (createJournal<Intent, never>(openEngine(), clock) as unknown as Journal);
  const limits = effectiveLimits('demo', {}, undefined);
  const intent: Intent = {
    id: 'a'.repeat(32),
    kind: 'order',
    state: 'APPROVED',
    environment: 'demo',
    accountKey: 'account',
    fingerprint: 'print',
    ticker: request.ticker,
    request,
    createdAt: startAt,
    changedAt: startAt,
    owner: 'test',
    limits,
    method: 'none',
    value: '10.20',
    baseline: { askedAt: startAt, pendingIds: [], position: '1', cash: '1000', price: '10', serviceOffsetMs: 0 },
    ...change,
  };
  await journal.change((tx) => tx.insert(intent));
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
    limits: async () => limits,
    accountKey: async () => 'account',
  });
  return { clock, journal, intent, commit: (read = facts) => commit(intent.id, read) };
}

test('an order that is ours, approved and in time may be sent, once', async () => {
  const { commit } = await setup();
  expect(await commit()).toMatchObject({ state: 'SENDING', sender: 'test', sentAt: startAt });
  await expect(commit()).rejects.toBeInstanceOf(ConcurrentUpdateError);
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

  test('was made over a minute ago without a human', async () => {
    const { commit, clock } = await setup();
    await clock.advance(60_001);
    expect(await commit({ ...facts, askedAt: clock.now() })).toMatchObject({ state: 'EXPIRED' });
  });

  test('has an approval requested in the future: the clock was set back since', async () => {
    const approval = { askedAt: startAt + 60_000, approvedAt: startAt + 70_000, expiresAt: startAt + 180_000 };
    const { commit } = await setup({ approval: approval as Intent['approval'], method: 'terminal' });
    expect(await commit()).toMatchObject({ state: 'EXPIRED' });
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

  test('was checked against old facts', async () => {
    const { commit } = await setup();
    expect(await commit({ ...facts, askedAt: startAt - 90_001 })).toMatchObject({ state: 'EXPIRED' });
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
    const engine = openEngine();
    const store = createJournal<Intent, never>(engine, { now: () => startAt });
    const place = { accountKey: 'account', environment: 'demo' };
    await store.change(async (tx) => {
      if (approval) await tx.set('security', { approval, limits: {}, enrolledAt: startAt });
      const times = { createdAt: startAt, expiresAt: startAt + 1 };
      await tx.insertDraft({ ...place, ...times, id: 'd1', name: undefined, version: 1, state: 'open', source: '' });
      const submission = { ...place, id: 's1', draftId: 'd1', version: 1, state: 'sending', createdAt: startAt };
      await tx.insertSubmission({ ...submission, endsAt: startAt + 1, haltCount: 0, ...change }, [
        { ...leg, state: 'waiting' },
      ]);
    });
    return setup({ leg, method: approval ?? 'none' }, store as unknown as Journal, approval);
  }

  test('is sent while its submission is', async () => {
    const { commit } = await setupLeg({});
    expect(await commit()).toMatchObject({ state: 'SENDING' });
  });

  test.each([
    ['was stopped', { state: 'stopped' }],
    ['waits for an approval', { state: 'awaiting_approval' }],
    ['has no time left', { endsAt: startAt }],
  ])('is refused when its submission %s', async (_, change) => {
    const { commit } = await setupLeg(change);
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
    const approved = (change: object = {}, digestOf: OrderRequest = request) => {
      const legs = [{ number: 1, digest: legDigest(1, digestOf, undefined) }];
      const ticket = { legs: [{ number: 1, priceNow: '10' }] } as unknown as DraftApproval['ticket'];
      const approval = { nonce: 'n', askedAt: startAt, expiresAt: startAt + 1, legs, ticket };
      const digest = draftDigest(gate, approval);
      return { approval: { ...approval, digest, approvedAt: startAt, by: 'terminal', ...change } };
    };

    test('is sent', async () => {
      const { commit } = await setupLeg(approved(), 'terminal');
      expect(await commit()).toMatchObject({ state: 'SENDING' });
    });

    test.each<[string, object, string]>([
      ['that holds for another order', approved({}, { ...request, quantity: '2' }), 'approval_invalid'],
      ['that was not given', approved({ approvedAt: undefined }), 'approval_missing'],
      ['that was given by a weaker channel', approved({ by: 'page' }), 'approval_invalid'],
      ['with another digest', approved({ digest: 'f'.repeat(64) }), 'approval_invalid'],
      ['from the future: the clock was set back since', approved({ approvedAt: startAt + 60_000 }), 'submission_ended'],
    ])('is refused with an approval %s', async (_, change, rule) => {
      const { commit } = await setupLeg(change, 'terminal');
      expect(await commit()).toMatchObject({ state: 'REFUSED', rule });
    });

    test('expires when the price of a market order moved by more than 1 % since the owner saw it', async () => {
      const { commit } = await setupLeg(approved(), 'terminal');
      const moved = { ...facts, positions: [{ ...facts.positions[0], currentPrice: '10.11' }] };
      expect(await commit(moved as unknown as OrderContext)).toMatchObject({ state: 'EXPIRED' });
    });
  });
});
