/** Records of the store whose numbers are damaged: none of them lets an order pass. */
import { describe, expect, test } from 'vitest';
import { listExternal, writeExternalRecord } from '../../../../src/core/orders/account/external-record.ts';
import {
  type Approval,
  type Intent,
  isAbandoned,
  isApprovalOver,
  isOverdue,
} from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { completeLimits, effectiveLimits, stricterLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import { damageRefusal, findDamage } from '../../../../src/core/orders/risk/evaluate-order.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openEngine } from '../../store/support.ts';

const now = Date.UTC(2026, 0, 15, 15);
const live = effectiveLimits('live', {}, undefined);
const request = { type: 'LIMIT', ticker: 'A_EQ', side: 'BUY', quantity: '1', limitPrice: '2', timeValidity: 'DAY' };
const intent = {
  id: 'a'.repeat(32),
  state: 'APPROVED',
  environment: 'live',
  request,
  createdAt: now,
  changedAt: now,
  sentAt: now,
  answerBy: now + 15_000,
  value: '2.04',
  baseline: { askedAt: now, pendingIds: [], position: '0', cash: '1e+3', free: '0', bought: '0', price: '2.00' },
  approval: { askedAt: now, expiresAt: now + 120_000 },
  search: { lostAt: now, round: 0, nextAt: now },
} as unknown as Intent;

/** The intent with one field, named by its path, replaced; undefined removes it. */
function withField(path: string, value: unknown): Intent {
  const copy = structuredClone(intent) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() as string;
  const place = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy as unknown as Intent;
}

describe('an intent', () => {
  const times = ['createdAt', 'changedAt', 'sentAt', 'answerBy', 'retryUntil', 'baseline.askedAt', 'search.nextAt'];
  const amounts = ['value', 'request.quantity', 'request.limitPrice', 'request.stopPrice'];
  const figures = ['baseline.cash', 'baseline.free', 'baseline.bought', 'baseline.price'];
  const approval = ['approval.askedAt', 'approval.expiresAt'];

  test('whose numbers can be read refuses nothing', () => {
    expect(damageRefusal([intent])).toBeUndefined();
  });

  test.each(
    [...times, ...amounts, ...figures, ...approval].flatMap((path) =>
      [null, 'x', Number.NaN, [], ''].map((value) => [path, value] as const),
    ),
  )('whose %s is %j refuses every order', (path, value) => {
    const damaged = withField(path, value);
    expect(findDamage(damaged)).toBe(path.replace('request.', ''));
    expect(damageRefusal([intent, damaged])?.rule).toBe('store_unavailable');
  });

  test.each(['createdAt', 'changedAt', 'baseline.askedAt', 'request.quantity', 'approval.expiresAt'])(
    'without %s refuses every order',
    (path) => {
      expect(damageRefusal([withField(path, undefined)])?.rule).toBe('store_unavailable');
    },
  );

  test.each([
    ['request', 'quantity'],
    ['baseline', 'baseline.askedAt'],
    ['approval', undefined],
    ['search', undefined],
  ])('without its %s is damaged where each order has one: %s', (path, field) => {
    expect(findDamage(withField(path, undefined))).toBe(field);
  });

  test('that is damaged is named with the field', () => {
    const leg = { submissionId: 's', number: 1, value: 'x' };
    expect(damageRefusal([withField('value', 'x')])?.reason).toContain(
      `a value of order ${intent.id} cannot be read (value)`,
    );
    expect(damageRefusal([], [leg])?.reason).toContain('a value of leg 1 of submission s cannot be read (value)');
  });

  test.each(['-1', '0', '1e3'])('for a quantity of %s is damaged: the side has the direction', (quantity) => {
    expect(findDamage(withField('request.quantity', quantity))).toBe('quantity');
  });

  test('whose times cannot be read is overdue, and abandoned by its sender', () => {
    const processes = { self: 'a', isAlive: () => true };
    const waiting = withField('createdAt', null);
    expect(isOverdue({ ...waiting, approval: undefined, createdAt: Number.NaN }, now)).toBe(true);
    expect(isApprovalOver({ askedAt: now, expiresAt: Number.NaN } as Approval, now)).toBe(true);
    expect(isApprovalOver({ askedAt: Number.NaN, expiresAt: now + 1 } as Approval, now)).toBe(true);
    expect(isAbandoned({ ...intent, answerBy: Number.NaN }, processes, now)).toBe(true);
  });
});

test.each([null, 'x', -1, ''])('a reserved leg of value %j refuses every order', (value) => {
  const leg = { submissionId: 's', number: 1, value: value as string };
  expect(damageRefusal([], [leg])?.rule).toBe('store_unavailable');
});

describe('stored limits', () => {
  const names = Object.keys(live).filter((name) => name !== 'tickers') as (keyof typeof live)[];

  test.each(names.flatMap((name) => [undefined, null, 'x', Number.NaN, {}].map((value) => [name, value] as const)))(
    'of which %s is %j have its default',
    (name, value) => {
      const stored = { ...live, ordersPerMinute: 4, maxOrderValue: '999', [name]: value };
      expect(completeLimits('live', JSON.parse(JSON.stringify(stored)))[name]).toEqual(live[name]);
    },
  );

  test('that can be read are kept', () => {
    const stored = { ...live, ordersPerMinute: 4, maxOrderValue: '999', tickers: ['A_EQ'], haltOnForeignOrders: false };
    expect(completeLimits('live', JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  test.each([null, 'A_EQ', [1], {}])('with the tickers %j allow none', (tickers) => {
    expect(completeLimits('live', { ...live, tickers }).tickers).toEqual([]);
  });

  test.each([undefined, null, 'x', 3])('that are %j as a total are the defaults', (stored) => {
    expect(completeLimits('live', stored)).toEqual(live);
  });

  test('of an environment that is not known are those of live', () => {
    expect(completeLimits('other', {})).toEqual(live);
    expect(completeLimits('demo', {})).toEqual(effectiveLimits('demo', {}, undefined));
  });

  test('that were enrolled and are damaged do not loosen what is in force', () => {
    const enrolled = { ordersPerMinute: 'x' as unknown as number, maxOrderValue: '2000' };
    expect(effectiveLimits('live', {}, enrolled)).toEqual({ ...live, maxOrderValue: '2000' });
    const stored = completeLimits('live', enrolled);
    expect(stricterLimits(stored, { ...live, ordersPerMinute: 2 }).ordersPerMinute).toBe(2);
  });
});

test('an order of another program without a readable time or value counts as placed now, of unknown value', async () => {
  const clock = createManualClock({ startAt: now });
  const journal = createJournal(openEngine(), clock) as unknown as Journal;
  const orders = [
    { id: '1', at: null as unknown as number, value: 'x' },
    { id: '2', at: now - 1, value: '5.00' },
  ];
  const found = await journal.change(async (tx) => {
    await writeExternalRecord(tx, 'account', { nextAt: 0, orders });
    return listExternal(tx, 'account', now);
  });
  expect(found).toEqual([
    { id: '1', at: now, value: undefined },
    { id: '2', at: now - 1, value: '5.00' },
  ]);
});
