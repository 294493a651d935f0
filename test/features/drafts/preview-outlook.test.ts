/** What the account's own history adds to the preview of one order, as the tool returns it. */
import { describe, expect, test } from 'vitest';
import { BrokerageError } from '../../../src/core/errors.ts';
import type { DescribeOutlook } from '../../../src/core/tools/endpoint-deps.ts';
import { previewOrder } from '../../../src/core/tools/trading-tools.ts';
import type { executions } from '../../../src/features/analytics/executions.ts';
import { describeOrder } from '../../../src/features/drafts/order-outlook.ts';
import type { ReadOptions } from '../../../src/features/history/history-port.ts';
import { contextOf, runWith, toolCall } from '../../core/tools/tool-call.ts';
import { openMarketsAt } from '../../support/setup.ts';

const instrument = { ticker: 'A_EQ', name: 'Company A', currencyCode: 'GBX', extendedHours: false };
const args = { ticker: 'A_EQ', side: 'BUY', quantity: '2' };
const limitArgs = { ...args, limitPrice: '10', timeValidity: 'DAY' };
const request = { type: 'LIMIT', ...limitArgs };

describe('a preview', () => {
  const preview = {
    order: request,
    estimate: { value: '20.00' },
    position: { before: '3', after: '1' },
    checks: [{ check: 'shares', ok: true, detail: 'ENOUGH' }],
    passes: true,
    warnings: ['IN PENCE'],
    sent: false,
  };

  /** A call that previews an order, and how it reads the history. */
  function previewing(refusal?: object) {
    const reads: ReadOptions[] = [];
    const call: ReturnType<typeof toolCall> = toolCall({
      describeOutlook: (...[question, context, options]: Parameters<DescribeOutlook>) =>
        describeOrder(call, question, context, options),
      config: { taxZone: 'UTC' },
      directory: {
        getOrThrow: async () => instrument,
        instruments: async () => ({ byTicker: () => instrument }),
      },
      orderManager: {
        preview: async () => ({ preview, refusal, asOf: 5, askedAt: 4, since: 3 }),
      },
      history: {
        derive: async (_: object, { start }: typeof executions, options: ReadOptions) => {
          reads.push(options);
          return { value: start().finish().value, version: '1', coverage: { complete: true }, asOf: 1 };
        },
      },
    });
    return { call, reads };
  }

  test('waits three seconds for the newest rows since the account was read', async () => {
    const { call, reads } = previewing();
    await runWith(previewOrder, limitArgs, call);
    expect(reads).toEqual([
      { context: contextOf({ waitUntil: openMarketsAt + 3_000, notBefore: 3 }), newestOnly: true },
    ]);
  });

  test('passes when its checks and the rules pass', async () => {
    const { asOf, fields } = await runWith(previewOrder, limitArgs, previewing().call);
    expect(asOf).toBe(5);
    expect(fields).toEqual({
      ...preview,
      charges: { known: false },
      warnings: ['IN PENCE'],
      checks: [
        { check: 'shares', ok: true, detail: 'ENOUGH' },
        { check: 'rules', ok: true, detail: 'The order passes this server’s own rules.' },
      ],
    });
  });

  test('fails with the rule that refuses the order, the largest quantity and the nearest price', async () => {
    const refusal = { rule: 'max_order_value', reason: 'TOO MUCH', largestQuantity: '1', nearestPrice: '9.5' };
    const { fields } = await runWith(previewOrder, limitArgs, previewing(refusal).call);
    const rules = {
      check: 'rules',
      ok: false,
      rule: 'max_order_value',
      detail: 'TOO MUCH',
      largestQuantity: '1',
      nearestPrice: '9.5',
    };
    expect(fields).toMatchObject({ passes: false, checks: [preview.checks[0], rules] });
  });

  test('of an order outside regular hours of an instrument without them is refused, as its placement is', async () => {
    const order = { ...args, type: 'MARKET', extendedHours: true };
    await expect(runWith(previewOrder, order, previewing().call)).rejects.toMatchObject({
      code: 'invalid_argument',
      next: 'Omit extendedHours.',
    });
  });

  test.each([
    [true, undefined, true],
    [false, undefined, false],
    [true, { rule: 'max_order_value' }, false],
    [false, { rule: 'max_order_value' }, false],
  ])('whose checks pass (%s) and whose refusal is %j passes: %s', async (checks, refusal, passes) => {
    const { call } = previewing();
    const previewed = async () => ({
      preview: { ...preview, passes: checks },
      refusal,
      asOf: 5,
      askedAt: 4,
      since: 3,
    });
    Object.assign(call.orderManager, { preview: previewed });
    expect((await runWith(previewOrder, limitArgs, call)).fields?.passes).toBe(passes);
  });

  /** One share was sold before, and the broker charged a hundredth of its value. */
  const fill = {
    order: { id: '1', side: 'SELL', ticker: 'A_EQ', quantity: '-1', type: 'LIMIT', status: 'FILLED' },
    fill: {
      id: '1',
      filledAt: '2026-01-02T10:00:00Z',
      quantity: '-1',
      type: 'TRADE',
      walletImpact: { currency: 'GBP', netValue: '99', taxes: [{ name: 'FEE', quantity: '1', currency: 'GBP' }] },
    },
  };
  const derive = async (_: object, { start }: typeof executions) => {
    const reader = start();
    reader.add([fill] as never);
    return { value: reader.finish().value, version: '1', coverage: { complete: true }, asOf: 1 };
  };

  test('of a sale names what it brings after charges, and reads the account of the preview and not an older one', async () => {
    const { call } = previewing();
    const accounts: unknown[] = [];
    const readAccount = async (context: unknown) => {
      accounts.push(context);
      throw new BrokerageError('rate_limited', 'NOT NOW', 'LATER');
    };
    Object.assign(call.history, { derive });
    Object.assign(call.orderManager, { readAccount });
    const { fields } = await runWith(previewOrder, { ...limitArgs, side: 'SELL', method: 'fifo' }, call);
    expect(fields).toMatchObject({
      charges: { known: true, total: '0.20' },
      proceedsAfterCharges: '19.80',
      whatIf: { method: 'fifo', missing: { code: 'rate_limited', reason: 'NOT NOW', next: 'LATER' } },
    });
    expect(accounts).toEqual([contextOf({ notBefore: 4 })]);
  });

  test('of a purchase names its charges, and no proceeds', async () => {
    const { call } = previewing();
    const bought = { ...fill, order: { ...fill.order, side: 'BUY', quantity: '1' } };
    const walletImpact = { ...fill.fill.walletImpact, netValue: '101' };
    const row = { ...bought, fill: { ...fill.fill, quantity: '1', walletImpact } };
    Object.assign(call.history, {
      derive: async (_: object, { start }: typeof executions) => {
        const reader = start();
        reader.add([row] as never);
        return { value: reader.finish().value, version: '1', coverage: { complete: true }, asOf: 1 };
      },
    });
    const { fields } = await runWith(previewOrder, limitArgs, call);
    expect(fields).toMatchObject({ charges: { known: true, total: '0.20' } });
    expect(fields).not.toHaveProperty('proceedsAfterCharges');
  });

  test('of a sale without a method counts the cost of the shares as an average', async () => {
    const { call } = previewing();
    const readAccount = () => Promise.reject(new BrokerageError('rate_limited', 'NOT NOW', 'LATER'));
    Object.assign(call.history, { derive });
    Object.assign(call.orderManager, { readAccount });
    const { fields } = await runWith(previewOrder, { ...limitArgs, side: 'SELL' }, call);
    expect(fields).toMatchObject({ whatIf: { method: 'average' } });
  });

  test.each([
    ['1', ['IN PENCE', expect.stringMatching(/^The quantity has one decimal, and the own orders of A_EQ/)]],
    ['0', ['IN PENCE']],
  ])(
    'warns of more decimals than the broker has accepted where the order leaves %s shares',
    async (after, warnings) => {
      const { call } = previewing();
      Object.assign(call.history, { derive });
      Object.assign(call.orderManager, {
        preview: async () => ({
          preview: { ...preview, position: { before: '2', after } },
          asOf: 5,
          askedAt: 4,
          since: 3,
        }),
      });
      const { fields } = await runWith(previewOrder, { ...limitArgs, quantity: '0.5' }, call);
      expect(fields?.warnings).toEqual(warnings);
    },
  );

  test.each([
    ['whose value is unknown', { value: undefined }, derive],
    ['whose charges are unknown', { value: '20.00' }, undefined],
  ])('of a sale %s names no proceeds', async (_, estimate, history) => {
    const { call } = previewing();
    if (history) Object.assign(call.history, { derive: history });
    Object.assign(call.orderManager, {
      readAccount: async () => {
        throw new BrokerageError('rate_limited', 'NOT NOW', 'LATER');
      },
      preview: async () => ({ preview: { ...preview, estimate }, asOf: 5, askedAt: 4, since: 3 }),
    });
    const { fields } = await runWith(previewOrder, { ...limitArgs, side: 'SELL', method: 'fifo' }, call);
    expect(fields).not.toHaveProperty('proceedsAfterCharges');
  });
});
