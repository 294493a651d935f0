/** What the commands of drafts send and print, over a store in memory. Every share costs 10 pounds. */
import Big from 'big.js';
import { expect, onTestFinished, test } from 'vitest';
import { readShownDraft } from '../../src/cli/choose-version.ts';
import { submitDraftInTerminal } from '../../src/cli/decide-draft.ts';
import { draftActions, printList } from '../../src/cli/drafts.ts';
import type { CommandContext } from '../../src/cli/with-app.ts';
import { systemClock } from '../../src/core/clock.ts';
import { BrokerageError } from '../../src/core/errors.ts';
import { approvalMethods } from '../../src/core/orders/intent/approval-methods.ts';
import type { OrderRequest } from '../../src/core/orders/intent/order-request.ts';
import { readDraft } from '../../src/features/drafts/book/find-draft.ts';
import { discardDraft } from '../../src/features/drafts/submission/stop-submission.ts';
import type { SubmissionDeps } from '../../src/features/drafts/submission/submission.ts';
import { createOrderPath } from '../core/orders/risk/order-path.ts';
import { openPlanWorld } from '../features/drafts/plan-world.ts';
import { attempt } from '../features/drafts/submission/attempts.ts';
import { buy as bought } from '../features/gains/trades.ts';
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
  expect(printed).toEqual([`Refused (order 2): the market is closed. THE REASON. Nothing was sent. ${next}`]);
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
  const parts = { services: { drafts: path.drafts } } as unknown as CommandContext;
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

/** A saved draft of these legs at the time of this machine, and the parts of a command. */
async function open(
  drafted: readonly OrderRequest[] = legs,
  isApproved = false,
  limits: Parameters<typeof createOrderPath>[0]['limits'] = {},
) {
  const path = await createOrderPath({ tickers: ['A', 'B'], limits, isApproved, delayMs: 0 });
  onTestFinished(() => path.close());
  await path.clock.advance(systemClock.now() - path.clock.now());
  const { draftId: id } = await path.saveDraft(drafted);
  const printed: string[] = [];
  // The terminal of this platform is on no machine that runs the tests.
  const terminal = testTerminal({ platform: 'win32', print: (line) => void printed.push(line) });
  const partsOf = (services: object = {}, drafts: Partial<SubmissionDeps> = {}) =>
    ({
      journal: path.journal,
      settings: { approval: undefined },
      services: { drafts: { ...path.drafts, ...drafts }, ...services },
    }) as unknown as CommandContext;
  return { path, id, terminal, printed, partsOf };
}

test('the totals of a draft are those after the charges that own fills show', async () => {
  // 100 pounds of A were charged one pound.
  const charges = [{ name: 'FEE', amount: new Big('1'), currency: 'GBP' }];
  const { history } = openPlanWorld({ trades: [bought('2026-01-06', 10, 101, { charges })] }).deps;
  const { id, terminal, partsOf } = await open(legs.map((leg) => ({ ...leg, ticker: 'A' })));
  const { json } = await readShownDraft(partsOf({}, { history }), id, terminal);
  const { totals } = json as { totals: Record<string, string> };
  const cashAfter = new Big(totals.cash ?? '').minus('50.50').toFixed(2);
  expect(totals).toMatchObject({ bought: '50.00', charges: '0.50', cashAfter });
});

test('a draft is compared in a read that the interruption of the command ends', async () => {
  const { path, id, terminal, partsOf } = await open();
  const asked: unknown[] = [];
  const directory = {
    ...path.drafts.directory,
    instruments: (context: Parameters<typeof path.drafts.directory.instruments>[0]) => {
      asked.push(context);
      return path.drafts.directory.instruments(context);
    },
  };
  await readShownDraft(partsOf({}, { directory }), id, terminal);
  const before = systemClock.now();
  expect(asked.length).toBeGreaterThan(0);
  for (const context of asked)
    expect(context).toEqual({ priority: 'read', deadlineAt: expect.any(Number), signal: terminal.shutdownSignal });
  expect((asked[0] as { deadlineAt: number }).deadlineAt).toBeGreaterThan(before + 40_000);
});

test('a draft that cannot be compared is shown with the reason', async () => {
  const { path, id, terminal, partsOf } = await open();
  const failure = new BrokerageError('rate_limited', 'The limit is used up.', 'Wait.');
  const facts = { ...path.drafts.facts, read: () => Promise.reject(failure) };
  const { json, text } = await readShownDraft(partsOf({}, { facts }), id, terminal);
  expect(json).toMatchObject({ state: 'open', problem: expect.stringContaining('The limit is used up.') });
  expect(text).toContain('The limit is used up.');
});

test('a draft that waits for approval is shown with its submission, and its own orders do not refuse it', async () => {
  // Two of its orders count already.
  const { path, id, terminal, partsOf } = await open(legs, true, { ordersPerHour: 3 });
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  const submitted = await path.submissions.create({ draftId: id, version: 1, isInTerminal: true }, context);
  if (submitted.kind !== 'new') throw new Error(JSON.stringify(submitted));
  const { json, text, sent, draft } = await readShownDraft(partsOf(), id, terminal);
  const { id: own } = submitted.submission;
  expect(json).toMatchObject({ state: 'pending_approval', submission: { submissionId: own } });
  expect(json).toHaveProperty('refused', undefined);
  expect([sent?.submissionId, draft.id]).toEqual([own, id]);
  expect(text).toContain(`Submission ${own}`);
});

test.each([
  [{ quantity: '2.5' }, { kind: 'quantity', leg: 2, quantity: '2.5' }, ['1', '2.5']],
  [{ 'limit-price': '9' }, { kind: 'limitPrice', leg: 2, limitPrice: '9' }, ['1', '3']],
  [{ remove: 'true' }, { kind: 'remove', leg: 2 }, ['1']],
])('drafts edit makes a version of the terminal with %o, and shows it', async (flags, edit, quantities) => {
  const drafted = [{ ...legs[0], quantity: '1' } as OrderRequest, legs[0] as OrderRequest];
  const { path, id, terminal, printed, partsOf } = await open(drafted);
  expect(await draftActions.edit(partsOf(), id, { version: '1', leg: '2', ...flags }, terminal)).toBe(0);
  const { versions } = await readDraft(path.drafts, id);
  expect(versions.at(-1)).toMatchObject({ version: 2, channel: 'terminal', edit });
  expect(versions.at(-1)?.legs.map(({ quantity }) => quantity)).toEqual(quantities);
  expect(printed.join('\n')).toContain(`DRAFT ${id} · version 2 · open`);
  // The same version again: it is another one by now.
  await expect(draftActions.edit(partsOf(), id, { version: '1', leg: '1', ...flags }, terminal)).rejects.toMatchObject({
    code: 'draft_changed',
  });
});

test.each(['edit', 'submit'] as const)('drafts %s needs a version where nobody can be asked', async (action) => {
  const { id, terminal, partsOf } = await open();
  await expect(draftActions[action](partsOf(), id, { leg: '1', remove: 'true' }, terminal)).rejects.toThrow(
    `Without a terminal, drafts ${action} needs --version N`,
  );
});

test('a draft that ended is submitted without a question only where that sends nothing', async () => {
  const { path, id, terminal, printed, partsOf } = await open();
  await discardDraft(path.drafts, id);
  const created: unknown[] = [];
  const submissions = {
    create: async (wanted: object) => {
      created.push(wanted);
      return { kind: 'refused', refusal: { rule: 'submission_ended', reason: 'It is closed.' } };
    },
  };
  const submit = (flags: Record<string, string>) => draftActions.submit(partsOf({ submissions }), id, flags, terminal);
  expect(await submit({})).toBe(1);
  expect(created).toEqual([{ draftId: id, version: 1, repeatOf: undefined, isInTerminal: false }]);
  // Its orders would be sent again.
  await expect(submit({ 'repeat-of': repeatOf })).rejects.toThrow('needs --version N');
  expect(created).toHaveLength(1);
  expect(printed.join()).toMatch(/^Refused: the sending had ended\. It is closed\./);
  expect(await submit({ version: '1', 'repeat-of': repeatOf, json: 'true' })).toBe(1);
  expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ outcome: 'refused', draftId: id, version: 1 });
  expect(created[1]).toEqual({ draftId: id, version: 1, repeatOf, isInTerminal: false });
});

test('a draft as JSON is what show prints with --json, and text without it', async () => {
  const { id, terminal, printed, partsOf } = await open();
  expect(await draftActions.show(partsOf(), id, {}, terminal)).toBe(0);
  expect(printed.join('\n')).toContain(`DRAFT ${id} · version 1 · open`);
  expect(await draftActions.show(partsOf(), id, { json: 'true' }, terminal)).toBe(0);
  expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ draftId: id, version: 1, state: 'open' });
});

test('a draft that is discarded is said to be, as text and as JSON', async () => {
  const { path, id, terminal, printed, partsOf } = await open();
  expect(await draftActions.discard(partsOf(), id, {}, terminal)).toBe(0);
  const message = 'The draft is discarded. Nothing of it was sent.';
  expect(printed).toEqual([message]);
  expect((await readDraft(path.drafts, id)).draft.state).toBe('discarded');
  expect(await draftActions.discard(partsOf(), id, { json: 'true' }, terminal)).toBe(0);
  expect(JSON.parse(printed.at(-1) ?? '')).toEqual({ draftId: id, state: 'discarded', message });
});

/** A draft for which an attempt to send it is under way. */
async function openSending() {
  const world = await open();
  const { path, id } = world;
  const change = { draftId: id, state: 'sending', endsAt: path.clock.now() + 600_000 } as const;
  await path.drafts.store.change((tx) => tx.insertSubmission(attempt('s1', path.clock.now(), change), []));
  return world;
}

test.each([
  ['is being sent', 'sending', openSending],
  [
    'was discarded',
    'discarded',
    async () => {
      const world = await open();
      await discardDraft(world.path.drafts, world.id);
      return world;
    },
  ],
] as const)('a draft that %s is shown without a request', async (_, state, opened) => {
  const { path, id, terminal, partsOf } = await opened();
  const facts = { ...path.drafts.facts, read: () => expect.unreachable('The account was read.') };
  const { json } = await readShownDraft(partsOf({}, { facts }), id, terminal);
  expect(json).toMatchObject({ state, checkedAt: undefined, totals: undefined });
  expect((json as { legs: object[] }).legs[0]).toEqual({ ...legs[0] });
});

test('a draft that waits for approval is compared with the account', async () => {
  const { path, id, terminal, partsOf } = await open(legs, true);
  const context = { priority: 'place', deadlineAt: path.clock.now() + 50_000 } as const;
  await path.submissions.create({ draftId: id, version: 1, isInTerminal: true }, context);
  const { json } = await readShownDraft(partsOf(), id, terminal);
  expect(json).toMatchObject({ state: 'pending_approval', totals: { bought: '50.00' } });
  expect((json as { checkedAt?: string }).checkedAt).toBe(new Date(path.clock.now()).toISOString());
});

/** What reaches the submissions of a draft that is submitted without a version. */
async function submitUnnamed(
  { id, terminal, partsOf }: Awaited<ReturnType<typeof open>>,
  { approval, repeats = false }: { approval?: string | undefined; repeats?: boolean } = {},
) {
  const created: unknown[] = [];
  const submissions = {
    create: async (wanted: object) => {
      created.push(wanted);
      return { kind: 'refused', refusal: { rule: 'halted', reason: 'It is halted.' } };
    },
  };
  const parts = {
    ...partsOf({ submissions }),
    settings: { environment: 'demo', approval },
  } as unknown as CommandContext;
  await draftActions.submit(parts, id, repeats ? { 'repeat-of': repeatOf } : {}, terminal);
  return created;
}

test('a draft that is being sent is followed without a question', async () => {
  const world = await openSending();
  const wanted = { draftId: world.id, version: 1, repeatOf: undefined, isInTerminal: false };
  expect(await submitUnnamed(world)).toEqual([wanted]);
});

test.each(approvalMethods)('where orders need an approval by %s, the version needs no question', async (approval) => {
  const world = await open();
  const wanted = { draftId: world.id, version: 1, repeatOf: undefined, isInTerminal: false };
  expect(await submitUnnamed(world, { approval })).toEqual([wanted]);
  expect(await submitUnnamed(world, { approval, repeats: true })).toEqual([{ ...wanted, repeatOf }]);
});

// order-safety: nothing is sent without the question where no approval is asked for.
test.each(['none', undefined])('with the approval %s, a version that nobody named is not sent', async (approval) => {
  await expect(submitUnnamed(await open(), { approval })).rejects.toThrow('needs --version N');
});

test('an attempt that waits for a person is not followed where no person can be asked', async () => {
  const submissions = {
    create: async () => ({ kind: 'new', submission: { id: submissionId, state: 'awaiting_approval' } }),
    follow: () => expect.unreachable('The orders were followed.'),
  };
  const { terminal, id, partsOf } = await open();
  const submitted = draftActions.submit(partsOf({ submissions }), id, { version: '1' }, terminal);
  await expect(submitted).rejects.toThrow('drafts submit needs a terminal, where a person types the passphrase.');
});

test('the progress of the orders is said beside the report', async () => {
  const warned: string[] = [];
  const submissions = {
    create: async () => ({ kind: 'new', submission: { id: submissionId, state: 'sending' } }),
    follow: async (_id: string, _context: object, tell: (message: string) => void) => {
      tell('1 of 2 sent.');
      return report;
    },
  };
  const { terminal, id, partsOf } = await open();
  const watched = { ...terminal, warn: (line: string) => void warned.push(line) };
  expect(await draftActions.submit(partsOf({ submissions }), id, { version: '1' }, watched)).toBe(0);
  expect(warned).toEqual(['1 of 2 sent.']);
});

test('the open drafts are listed with their version, legs and times', async () => {
  const { path, id, terminal, printed, partsOf } = await open();
  const madeAt = path.clock.now();
  await printList([partsOf()], { json: 'true' }, terminal);
  expect(JSON.parse(printed.join('\n'))).toEqual({
    drafts: [
      {
        draftId: id,
        name: '2 buys',
        version: 1,
        legs: 2,
        createdAt: new Date(madeAt).toISOString(),
        expiresAt: new Date(madeAt + 7 * 86_400_000).toISOString(),
      },
    ],
  });
  printed.length = 0;
  await printList([partsOf()], {}, terminal);
  expect(printed[0]?.split(/ {2,}/)).toEqual(['draft', 'version', 'legs', 'made', 'expires', 'name']);
  const [row = []] = printed
    .slice(1)
    .map((line) => line.split(/ {2,}/))
    .filter(([first]) => first === id);
  expect([...row.slice(0, 3), row.at(-1)]).toEqual([id, '1', '2', '“2 buys”']);
});

test('without an open draft the list says so', async () => {
  const { path, id, terminal, printed, partsOf } = await open();
  await discardDraft(path.drafts, id);
  await printList([partsOf()], {}, terminal);
  expect(printed).toEqual(['No draft is open in this environment and account.']);
  await printList([partsOf()], { json: 'true' }, terminal);
  expect(JSON.parse(printed.at(-1) ?? '')).toEqual({ drafts: [] });
});
