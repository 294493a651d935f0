/** What submit_draft passes on, and what it returns of the result. */
import { expect, test } from 'vitest';
import type { HostInteraction } from '../../../src/core/mcp/tool.ts';
import { getSender } from '../../../src/features/drafts/draft-tool-deps.ts';
import type { SubmissionReport } from '../../../src/features/drafts/submission/describe-submission.ts';
import { submitDraftTool } from '../../../src/features/drafts/submit-tool.ts';
import { contextOf, recordCalls, runWith, toolCall } from '../../core/tools/tool-call.ts';
import { twoLegs } from './page/draft-ticket-support.ts';

const draftId = 'd'.repeat(16);
const repeatOf = '5'.repeat(32);
const wanted = { draftId, version: 3, repeatOf };
const report = { submissionId: '6'.repeat(32), outcome: 'sending', message: 'BEING SENT' } as SubmissionReport;
const answer = {
  kind: 'form',
  nonce: 'nonce-1',
  isRepeat: true,
  action: 'accept',
  content: { confirmLegs: 2, confirmTotal: '1403.03', more: 'x' },
} as const;

/** A call whose submissions return this, and what reached them. */
function callOf(reply: object | undefined, host: HostInteraction = { canForm: true, canUrl: false }) {
  const { calls, record } = recordCalls(reply);
  const progress = () => undefined;
  const submissions = { submit: record('submit'), continueAfterForm: record('continueAfterForm') };
  return { call: toolCall({ host, progress, submissions }), calls, progress };
}

test('the version that was read and the submission to repeat are submitted, with what the host can show', async () => {
  const { call, calls, progress } = callOf({ kind: 'submitted', report });
  expect(await runWith(submitDraftTool, wanted, call)).toEqual({ fields: report, ask: undefined });
  const context = contextOf({ priority: 'place' });
  expect(calls).toEqual([['submit', wanted, context, progress, { canAsk: true, canOpen: false }]]);
});

test('a call that matched an earlier one says so', async () => {
  const { call } = callOf({ kind: 'submitted', report, coalesced: true });
  expect((await runWith(submitDraftTool, wanted, call)).fields).toEqual({ ...report, coalesced: true });
});

test('a refused draft has the draft, the version, the refusal and the next step, and nothing was sent', async () => {
  const refusal = { rule: 'no_price', reason: 'NO PRICE', leg: 2 };
  const { call } = callOf({ kind: 'refused', refusal });
  expect(await runWith(submitDraftTool, wanted, call)).toEqual({
    fields: {
      outcome: 'refused',
      draftId,
      version: 3,
      ...refusal,
      message: 'This server refused the draft; nothing was sent.',
      next: 'Make the leg a limit order with save_draft, or remove it.',
    },
  });
});

test('the response to a form is passed on with what was typed, and no page is offered', async () => {
  const { call, calls, progress } = callOf({ report }, { canForm: true, canUrl: true, answer });
  expect((await runWith(submitDraftTool, wanted, call)).fields).toEqual({ ...report, coalesced: true });
  const form = { nonce: 'nonce-1', action: 'accept', confirmLegs: 2, confirmTotal: '1403.03' };
  const context = contextOf({ priority: 'place' });
  expect(calls).toEqual([['continueAfterForm', wanted, form, context, progress, { canAsk: true }]]);
});

test('a form that belongs to no draft is an error', async () => {
  const { call } = callOf(undefined, { canForm: true, canUrl: true, answer });
  await expect(runWith(submitDraftTool, wanted, call)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a draft that waits is asked about with a form, whose question is the ticket', async () => {
  const ask = { nonce: 'nonce-1', ticket: twoLegs, problem: 'WRONG TOTAL' };
  const { call } = callOf({ kind: 'submitted', report, ask, coalesced: true });
  const reply = await runWith(submitDraftTool, wanted, call);
  expect(reply.ask).toMatchObject({
    kind: 'form',
    nonce: 'nonce-1',
    isRepeat: true,
    message: expect.stringMatching(/WRONG TOTAL[\s\S]*AAPL_US_EQ[\s\S]*QBRAMl_EQ/),
    schema: { required: ['confirmLegs', 'confirmTotal'] },
  });
});

test('a draft that waits is asked about with the address of its page', async () => {
  const address = 'http://127.0.0.1:9/approve/handle';
  const { call } = callOf({ kind: 'submitted', report, ask: { nonce: 'nonce-1', ticket: twoLegs, address } });
  expect((await runWith(submitDraftTool, wanted, call)).ask).toEqual({
    kind: 'url',
    nonce: 'nonce-1',
    message: 'Open the page to approve or reject these orders.',
    url: address,
    isRepeat: undefined,
  });
});

test.each([
  [true, false],
  [false, true],
])(
  'after a form, a host that shows forms (%s) and pages (%s) is asked again by a form alone',
  async (canForm, canUrl) => {
    const { call, calls } = callOf({ report }, { canForm, canUrl, answer });
    await runWith(submitDraftTool, wanted, call);
    expect((calls[0] as unknown[]).at(-1)).toEqual({ canAsk: canForm });
  },
);

test.each([
  [['drafting', 'trading'], false, 'tool'],
  [['drafting', 'trading'], true, 'person'],
  [['drafting'], false, 'person'],
  [['trading'], false, 'person'],
  [[], false, 'person'],
] as const)(
  'of a server with the toolsets %j that is read-only (%s) a draft is sent by a %s',
  (toolsets, readOnly, sender) => {
    expect(getSender({ config: { toolsets, readOnly } as never })).toBe(sender);
  },
);

test('a submission that matched no earlier one does not say that it did', async () => {
  const { call } = callOf({ kind: 'submitted', report, coalesced: false });
  expect((await runWith(submitDraftTool, wanted, call)).fields).toEqual(report);
});

test.each([
  [{ draftId, version: 1 }, true],
  [{ draftId, version: 1_000_000, repeatOf }, true],
  [{ draftId, version: 0 }, false],
  [{ draftId, version: 1_000_001 }, false],
  [{ draftId, version: 1.5 }, false],
  [{ draftId }, false],
  [{ draftId: `${draftId}0`, version: 1 }, false],
  [{ draftId: draftId.slice(1), version: 1 }, false],
  [{ draftId: draftId.toUpperCase(), version: 1 }, false],
  [{ draftId, version: 1, repeatOf: `${repeatOf}0` }, false],
  [{ draftId, version: 1, repeatOf: repeatOf.slice(1) }, false],
])('the submission %j is accepted: %s', (args, isValid) => {
  expect(submitDraftTool.input.safeParse(args).success).toBe(isValid);
});
