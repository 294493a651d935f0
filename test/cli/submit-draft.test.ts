/** What the commands of drafts send and print, over a store in memory. Every share costs 10 pounds. */
import { expect, onTestFinished, test } from 'vitest';
import { readShownDraft } from '../../src/cli/choose-version.ts';
import { submitDraftInTerminal } from '../../src/cli/submit-draft.ts';
import type { CommandContext } from '../../src/cli/with-app.ts';
import { systemClock } from '../../src/clock.ts';
import type { OrderRequest } from '../../src/orders/intent/order-request.ts';
import { attempt } from '../drafting/submission/attempts.ts';
import { createOrderPath } from '../orders/risk/order-path.ts';
import { testTerminal } from '../support/command.ts';

const draftId = 'd'.repeat(16);
const repeatOf = '5'.repeat(32);
const submissionId = '6'.repeat(32);
const report = {
  submissionId,
  draftId,
  version: 3,
  outcome: 'done',
  message: 'THE MESSAGE.',
  legs: [{ leg: 1, order: 'BUY 2 A', outcome: 'placed', orderId: '7' }],
};

/** A command over submissions that return this, what reached them, and what it printed. */
function commandOf(submitted: object, followed: object = report) {
  const calls: unknown[] = [];
  const printed: string[] = [];
  const services = {
    submissions: {
      create: async (...given: unknown[]) => {
        calls.push(['create', ...given]);
        return submitted;
      },
      follow: async (...given: unknown[]) => {
        calls.push(['follow', ...given.slice(0, 2)]);
        return followed;
      },
    },
  };
  const terminal = testTerminal({ print: (line) => void printed.push(line) });
  const submit = (isJson: boolean) =>
    submitDraftInTerminal(
      { services } as unknown as CommandContext,
      { draftId, version: 3, repeatOf, isJson },
      terminal,
    );
  const context = { priority: 'place', deadlineAt: expect.any(Number), signal: terminal.shutdownSignal };
  return { submit, calls, printed, context };
}

test('the version that the person saw is submitted with what it repeats, and followed to its end', async () => {
  const { submit, calls, printed, context } = commandOf({
    kind: 'new',
    submission: { id: submissionId, state: 'sending' },
  });
  expect(await submit(false)).toBe(0);
  expect(calls).toEqual([
    ['create', { draftId, version: 3, repeatOf, isInTerminal: expect.any(Boolean) }, context],
    ['follow', submissionId, context],
  ]);
  expect(printed[0]).toBe('  1. BUY 2 A: Placed · order 7');
  expect(printed.at(-1)).toMatch(/THE MESSAGE\.$/);
});

test.each([
  ['done', 0],
  ['stopped', 1],
  ['sending', 1],
  ['waiting_for_fills', 1],
  ['pending_approval', 1],
  ['declined', 1],
  ['expired', 1],
  ['refused', 1],
])('a draft that is %s ends the command with %i', async (outcome, code) => {
  const { submit } = commandOf(
    { kind: 'new', submission: { id: submissionId, state: 'sending' } },
    { ...report, outcome },
  );
  expect(await submit(false)).toBe(code);
});

test('a program gets the report as JSON, and an exit code that says whether all of it was placed', async () => {
  const stopped = { ...report, outcome: 'stopped' };
  const { submit, printed } = commandOf({ kind: 'new', submission: { id: submissionId, state: 'sending' } }, stopped);
  expect(await submit(true)).toBe(1);
  expect(JSON.parse(printed.join('\n'))).toEqual(stopped);
});

test('a refused draft says which leg breaks which rule, why, and what to do', async () => {
  const refusal = { leg: 2, rule: 'market_closed', reason: 'THE REASON.' };
  const next = 'Submit it again when the market is open.';
  const { submit, calls, printed } = commandOf({ kind: 'refused', refusal });
  expect(await submit(false)).toBe(1);
  expect(printed).toEqual([`Refused (market_closed), leg 2: THE REASON. Nothing was sent. ${next}`]);
  const inJson = commandOf({ kind: 'refused', refusal });
  expect(await inJson.submit(true)).toBe(1);
  expect(JSON.parse(inJson.printed.join('\n'))).toEqual({ outcome: 'refused', draftId, version: 3, ...refusal, next });
  expect(calls).toHaveLength(1);
});

const legs: readonly OrderRequest[] = [
  { type: 'LIMIT', ticker: 'A', side: 'BUY', quantity: '3', limitPrice: '10', timeValidity: 'DAY' },
  { type: 'LIMIT', ticker: 'B', side: 'BUY', quantity: '2', limitPrice: '10', timeValidity: 'GOOD_TILL_CANCEL' },
];

/** A saved draft as `drafts show` has it, at the time of this machine, by which the command tells whether it is open. */
async function show(limits: Parameters<typeof createOrderPath>[0]['limits'], timesAsked = 0) {
  const isApproved = timesAsked > 0;
  const path = await createOrderPath({ tickers: ['A', 'B'], limits, isApproved, delayMs: 0 });
  onTestFinished(() => path.close());
  await path.clock.advance(systemClock.now() - path.clock.now());
  const { draftId: id } = await path.saveDraft(legs);
  await path.drafts.store.change(async (tx) => {
    for (let n = 1; n <= timesAsked; n++)
      await tx.insertSubmission(attempt(`s${n}`, path.clock.now() - n * 60_000, { draftId: id }), []);
  });
  const parts = { services: { ...path.drafts, drafts: path.drafts } } as unknown as CommandContext;
  const { json, text, sent } = await readShownDraft(parts, id, testTerminal());
  return { id, madeAt: path.clock.now(), json: JSON.parse(JSON.stringify(json)), text, sent };
}

test('a draft as JSON has each leg with its terms and value, the totals, and why it is refused', async () => {
  const { id, madeAt, json, sent } = await show({ maxOrderValue: '25' });
  const iso = (at: number) => new Date(at).toISOString();
  expect(sent).toBeUndefined();
  const warnings = ['Whether the market is open is unknown.'];
  const refusal = expect.objectContaining({ rule: 'max_order_value' });
  expect(json).toEqual({
    draftId: id,
    environment: 'sandbox',
    name: '2 buys',
    version: 1,
    state: 'open',
    createdAt: iso(madeAt),
    expiresAt: iso(madeAt + 7 * 86_400_000),
    checkedAt: iso(madeAt),
    legs: [
      { ...legs[0], value: '30.00', currency: 'GBP', refusal, warnings },
      { ...legs[1], value: '20.00', currency: 'GBP', warnings },
    ],
    totals: expect.objectContaining({ bought: '50.00', sold: '0.00', unknownValues: 0 }),
    refused: expect.objectContaining({ leg: 1, rule: 'max_order_value' }),
  });
});

test('a draft that a tool asked three times to approve is not refused in a terminal, where a person submits it', async () => {
  const { json } = await show({}, 3);
  expect(json).toMatchObject({ state: 'open', legs: [{ quantity: '3' }, { quantity: '2' }] });
  expect(json).not.toHaveProperty('refused');
});
