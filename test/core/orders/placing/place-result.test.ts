/** The result of a place tool: what the caller learns of an intent, and where a person approves it. */
import { describe, expect, test } from 'vitest';
import type { ApprovalMethod } from '../../../../src/core/orders/intent/approval-methods.ts';
import type { Ticket } from '../../../../src/core/orders/intent/approval-port.ts';
import type { Approval, Intent } from '../../../../src/core/orders/intent/intent.ts';
import { toOutcome } from '../../../../src/core/orders/intent/outcome.ts';
import { buildPlaceResult, type PromptCapabilities, replyUnread } from '../../../../src/core/orders/place-result.ts';
import { placed, startAt } from './world.ts';

const ticket = {
  intentId: 'p',
  instrument: { name: 'Abc', isin: undefined, type: 'STOCK', currency: 'GBP' },
  estimate: { value: '200.00', worst: '204.00', currency: 'GBP' },
  position: { before: '100', after: '110' },
  warnings: ['One.'],
} as unknown as Ticket;
const { instrument, estimate, warnings } = ticket;

const approval: Approval = {
  handle: 'h',
  nonce: 'n',
  digest: 'd',
  askedAt: startAt,
  expiresAt: startAt + 120_000,
  ticket,
};

const waiting = (method: ApprovalMethod | 'none', change: Partial<Intent> = {}): Intent => ({
  ...placed({ method }),
  state: 'AWAITING_APPROVAL',
  orderId: undefined,
  approval,
  ...change,
});

const build = (
  intent: Intent,
  {
    isOld = false,
    now = startAt,
    address,
    ...shown
  }: PromptCapabilities & { isOld?: boolean; now?: number; address?: string } = {},
) => {
  const channels = { pageUrl: async (handle: string) => address && `${address}/${handle}`, opensBrowser: false };
  return buildPlaceResult(intent, { ...shown, isOld, now, channels });
};

const address = 'http://127.0.0.1:1';
const page = `${address}/h`;

describe('the result of an order of this call', () => {
  test('is its outcome', async () => {
    const intent = placed({ orderStatus: 'NEW' });
    expect(await build(intent)).toEqual(toOutcome(intent, startAt));
  });

  test('matches an earlier one when that kept it from being sent', async () => {
    const intent = { ...placed(), state: 'NOT_SENT', earlier: { intentId: 'e', orderId: '5' } } as const;
    expect(await build(intent)).toEqual({ ...toOutcome(intent, startAt), coalesced: true });
  });
});

describe('the result of an equal order of an earlier call', () => {
  const repeat = 'To place a second identical order, send repeatOf with this intentId.';

  test.each<[string, Partial<Intent>, string, string]>([
    ['a status', { orderStatus: 'NEW' }, ' Its status is NEW.', 'follow it to the fill'],
    ['no status', {}, '', 'follow it to the fill'],
    [
      'a complete fill, which leaves nothing to follow',
      { orderStatus: 'FILLED' },
      ' Its status is FILLED.',
      'for its fills',
    ],
    [
      'a fill that differs from the request',
      { orderStatus: 'FILLED', mismatch: ['quantity'] },
      ' Its status is FILLED.',
      'Tell the user immediately',
    ],
  ])('that the broker accepted names it, and says how it is repeated: with %s', async (_, change, status, step) => {
    const intent = placed(change);
    const { message, next, ...result } = await build(intent, { isOld: true });
    const outcome = toOutcome(intent, startAt);
    expect(result).toEqual({ ...outcome, message: undefined, next: undefined, coalesced: true });
    expect(message).toBe(`Nothing new was sent: this equals order 7. The broker accepted it before.${status}`);
    expect(next).toContain(step);
    expect(next.endsWith(` ${repeat}`)).toBe(true);
  });

  test.each<[string, Intent, string]>([
    ['has no order yet', { ...placed(), id: 'u', state: 'UNKNOWN', orderId: undefined }, 'the order of intent u'],
    ['has an order, although a person closed it', { ...placed(), state: 'CLOSED', orderStatus: 'NEW' }, 'order 7'],
  ])('that %s is not repeated, and its message and step stay', async (_, intent, name) => {
    const outcome = toOutcome(intent, startAt);
    expect(await build(intent, { isOld: true })).toEqual({
      ...outcome,
      coalesced: true,
      message: `Nothing new was sent: this equals ${name}. ${outcome.message}`,
    });
  });

  test('that waits for a person says where', async () => {
    const result = await build(waiting('terminal'), { isOld: true });
    expect(result).toMatchObject({ outcome: 'pending_approval', coalesced: true, approval: { method: 'terminal' } });
  });
});

describe('where a person approves', () => {
  test('is part of the result, with what the person is shown and the time that is left', async () => {
    const { approval: where, ask } = await build(waiting('page'), { address, now: startAt + 60_001 });
    expect(where).toEqual({
      method: 'page',
      how: expect.any(String),
      address: page,
      secondsLeft: 60,
      expiresAt: '2026-01-15T15:02:00.000Z',
      ticket: { instrument, estimate, warnings },
    });
    expect(ask).toBeUndefined();
  });

  test.each<[string, Intent, number]>([
    ['was decided', waiting('page', { state: 'APPROVED' }), startAt],
    ['has no approval', waiting('page', { approval: undefined }), startAt],
    ['needs none', waiting('none'), startAt],
    ['can no longer be approved', waiting('page'), startAt + 120_000],
  ])('is not part of the result of an order that %s', async (_, intent, now) => {
    const result = await build(intent, { now, address, canAsk: true, canOpen: true });
    expect(result).toEqual(toOutcome(intent, now));
  });

  test.each<[string, ApprovalMethod, PromptCapabilities & { address?: string }, object | undefined]>([
    ['a form, for a caller that can ask', 'elicitation', { canAsk: true }, { nonce: 'n', ticket }],
    ['nothing, for a caller that can only open pages', 'elicitation', { canOpen: true, address }, undefined],
    [
      'the page, for a caller that can open it',
      'page',
      { canOpen: true, address },
      { nonce: 'n', ticket, address: page },
    ],
    ['nothing, where no page can be served', 'page', { canOpen: true }, undefined],
    ['nothing, for a caller that can only ask', 'page', { canAsk: true, address }, undefined],
    ['nothing, where a terminal is required', 'terminal', { canAsk: true, canOpen: true, address }, undefined],
  ])('is put to the person as %s', async (_, method, options, ask) => {
    expect((await build(waiting(method), options)).ask).toEqual(ask);
  });

  test.each<[string, Intent, PromptCapabilities & { address?: string }, RegExp]>([
    ['the page', waiting('page'), { address }, /open the address on this machine.*approve/],
    ['the terminal, where no page can be served', waiting('page'), {}, /not available: .*brokerage-mcp approve/],
    ['the terminal', waiting('terminal'), { address }, /^To approve the order, .*brokerage-mcp approve/],
    ['the form', waiting('elicitation'), { canAsk: true }, /^The form asks for the quantity\.$/],
    ['the terminal, where no form was sent', waiting('elicitation'), {}, /^No form was sent.*brokerage-mcp approve/],
    [
      'the terminal, with what became of the form',
      waiting('elicitation', { approval: { ...approval, form: { sent: 1, last: 'empty' } } }),
      {},
      /^The host returned the form without the quantity; .*brokerage-mcp approve/,
    ],
  ])('is said in words: %s', async (_, intent, options, how) => {
    const { approval: where } = await build(intent, options);
    expect(where?.how).toMatch(how);
  });

  test('asks for the address of a page only where the method is a page', async () => {
    expect((await build(waiting('terminal'), { address })).approval).toMatchObject({ address: undefined });
    expect((await build(waiting('elicitation'), { address })).approval).toMatchObject({ address: undefined });
  });
});

test('an earlier order that could not be read may be live: its last status is not given, and when to try again is', () => {
  const intent = placed({ orderStatus: 'NEW' });
  const { message, next, ...result } = replyUnread(intent, { reason: 'Because.', retryAfterSeconds: 12 }, startAt);
  expect(result).toEqual({
    ...toOutcome(intent, startAt),
    outcome: 'unknown',
    status: undefined,
    coalesced: true,
    message: undefined,
    next: undefined,
    reason: 'Because.',
    retryAfterSeconds: 12,
  });
  expect([message, next]).toEqual([
    'Nothing new was sent: this equals order 7. Its current state could not be read, so it MAY be live. Do not place it again.',
    'Call get_order with this intentId.',
  ]);
});
