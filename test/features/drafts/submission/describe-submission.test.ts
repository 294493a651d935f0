/** The report of an attempt, from rows as they are in the store. */
import { expect, test } from 'vitest';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { effectiveLimits } from '../../../../src/core/orders/intent/risk-limits.ts';
import type { Draft } from '../../../../src/features/drafts/book/draft.ts';
import { saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import {
  describeDraftState,
  describeSubmission,
  isBeingSent,
  openOutcomes,
  reportLatest,
  reportSubmission,
} from '../../../../src/features/drafts/submission/describe-submission.ts';
import type { StopDeps } from '../../../../src/features/drafts/submission/stop-submission.ts';
import type {
  Submission,
  SubmissionLeg,
  SubmissionOutcome,
  SubmissionView,
} from '../../../../src/features/drafts/submission/submission.ts';
import { leg, openBook, startAt } from '../book/support.ts';

const id = '0'.repeat(32);

/** The first leg of an attempt in flight, with an intent in the given state, after `ms`. */
async function reportLeg(change: Partial<Intent>, ms = 0) {
  const { deps, clock } = openBook();
  const { draftId, version } = await saveDraft(deps, { legs: [leg()] });
  const now = clock.now();
  const { store }: StopDeps = deps;
  await store.change(async (tx) => {
    const place = { accountKey: 'account', environment: 'demo' };
    await tx.insertSubmission(
      { ...place, id, draftId, version, state: 'sending', createdAt: now, endsAt: now + 900_000, haltCount: 0 },
      [{ submissionId: id, number: 1, state: 'waiting', position: 0, isDependent: false }],
    );
    const request = leg();
    const made = {
      ...place,
      id: 'a'.repeat(32),
      kind: 'order',
      ticker: request.ticker,
      request,
      fingerprint: 'f',
      owner: 'alive',
    };
    const reference = { submissionId: id, number: 1 };
    const intent = { ...made, createdAt: now, changedAt: now, method: 'none', leg: reference, ...change };
    await tx.insert(intent as unknown as Intent);
  });
  await clock.advance(ms);
  const processes = { self: 'test', isAlive: (owner: string) => owner === 'alive' };
  const limits = async () => effectiveLimits('demo', {}, {});
  return (await reportSubmission({ ...deps, store, processes, limits }, id, 'model'))?.legs[0];
}

const sending = { state: 'SENDING', sender: 'alive', sentAt: startAt, answerBy: startAt + 15_000 } as const;

test('a leg whose response is awaited says that it is being sent', async () => {
  expect(await reportLeg(sending, 10_000)).toMatchObject({
    outcome: 'unknown',
    inFlight: true,
    reason: 'It is being sent now; the broker has not responded yet.',
  });
});

test('a leg that is sent for a second time keeps the reason of the first', async () => {
  const reason = 'The broker limits its requests.';
  expect(await reportLeg({ ...sending, reason }, 10_000)).toMatchObject({ outcome: 'unknown', inFlight: true, reason });
});

test.each<[string, Partial<Intent>]>([
  ['for its turn at the broker', { state: 'APPROVED' }],
  ['for another attempt after a limit', { state: 'NOT_SENT', retryUntil: startAt + 1_000 }],
])('a leg that waits %s says that it waits', async (_, change) => {
  const shown = await reportLeg(change);
  expect([shown?.outcome, shown?.inFlight, shown?.reason]).toEqual(['waiting', undefined, undefined]);
});

test.each<[string, Partial<Intent>, number]>([
  ['whose process is gone', { ...sending, sender: 'gone' }, 0],
  // Twice the time for the response.
  ['without a response for too long', sending, 30_001],
  ['that is searched for', { ...sending, state: 'UNKNOWN' }, 0],
])('a leg %s does not', async (_, change, ms) => {
  const shown = await reportLeg(change, ms);
  expect([shown?.outcome, shown?.reason]).toEqual(['unknown', undefined]);
});

/** A leg with its place from 1: one that waits, or one that has an order. */
const row = (number: number, intent?: Partial<Intent>, change: Partial<SubmissionLeg> = {}) => ({
  leg: {
    submissionId: id,
    number,
    position: number,
    state: intent ? 'taken' : 'waiting',
    isDependent: false,
    ...change,
  },
  intent: intent && {
    ...{ id: `i${number}`, createdAt: startAt, changedAt: startAt, request: { side: 'BUY' } },
    ...{ leg: { submissionId: id, number }, ...intent },
  },
});
const placed = (number: number) => row(number, { state: 'PLACED', orderId: `${number}`, sentAt: startAt });

interface Given {
  readonly submission?: Partial<Submission>;
  readonly rows?: readonly ReturnType<typeof row>[];
  readonly draft?: Partial<Draft> | undefined;
  readonly version?: object | undefined;
  /** How long ago an order of the account was sent (ms), when one a minute may be. */
  readonly orderAgo?: number;
  readonly reader?: 'model' | 'person';
}

/** The report of an attempt that has these rows. */
function describeRows(given: Given) {
  const { submission = {}, rows = [row(1)], orderAgo, reader = 'model' } = given;
  const { draft = { state: 'open', version: 7 } } = given;
  const version =
    'version' in given ? given.version : { legs: rows.map(({ leg: { number } }) => leg({ quantity: `${number}` })) };
  const own =
    orderAgo === undefined
      ? []
      : [{ id: 'own', state: 'PLACED', sentAt: startAt - orderAgo, createdAt: startAt - orderAgo }];
  const tx = {
    list: async (filter: { submissionId?: string }) =>
      filter.submissionId === id ? rows.flatMap(({ intent }) => intent ?? []) : own,
    listSubmissionLegs: async () => rows.map((one) => one.leg),
    findVersion: async (draftId: string, number: number) => (draftId === 'd1' && number === 6 ? version : undefined),
    findDraft: async (draftId: string) =>
      draftId !== 'd1' || ('draft' in given && given.draft === undefined) ? undefined : draft,
    get: async () => undefined,
  } as unknown as SubmissionView;
  const deps = {
    clock: { now: () => startAt },
    processes: { self: 'test', isAlive: () => true },
    limits: async () => ({ ordersPerMinute: orderAgo === undefined ? 30 : 1 }),
  } as unknown as Parameters<typeof describeSubmission>[0];
  const place = { accountKey: 'account', environment: 'demo', draftId: 'd1', version: 6, haltCount: 0 };
  const times = { createdAt: startAt, endsAt: startAt + 900_000, owner: 'test', leaseUntil: startAt + 90_000 };
  const made = { ...place, ...times, id, state: 'sending', ...submission } as Submission;
  return describeSubmission(deps, tx, made, reader);
}

const approvalUntil = (expiresAt: number, change: object = {}) =>
  ({ method: 'page', askedAt: startAt, expiresAt, ticket: { totals: { bought: '1.00' } }, ...change }) as never;
const waitsForPerson = { state: 'awaiting_approval', approval: approvalUntil(startAt + 1) } as const;
const dependent = row(2, undefined, { isDependent: true });
const doNotRepeat = 'Do not place any of them again.';

test.each<[string, Given, string, string, number | undefined]>([
  [
    'waits for a person',
    { submission: waitsForPerson },
    'pending_approval',
    'The draft is waiting for the approval of a human; nothing has been sent.',
    5,
  ],
  [
    'was not approved in time',
    { submission: { ...waitsForPerson, approval: approvalUntil(startAt) } },
    'expired',
    'The draft was not approved in time; nothing was sent.',
    undefined,
  ],
  ['sends its first leg', {}, 'sending', `The legs are being sent, one after the other. ${doNotRepeat}`, 5],
  [
    'waits for the fills of a sell',
    { rows: [placed(1), dependent] },
    'waiting_for_fills',
    `The remaining buys wait for the fills of the sells. ${doNotRepeat}`,
    5,
  ],
  [
    'has a leg before the buy that waits for fills',
    { rows: [row(1), dependent] },
    'sending',
    `The legs are being sent, one after the other. ${doNotRepeat}`,
    5,
  ],
  [
    'has an order in flight before that buy',
    { rows: [placed(3), row(1, { state: 'SENDING' }), dependent] },
    'sending',
    `The legs are being sent, one after the other. ${doNotRepeat}`,
    5,
  ],
  [
    'sends its last leg',
    { rows: [placed(1), row(2, { state: 'SENDING' })] },
    'sending',
    `The legs are being sent, one after the other. ${doNotRepeat}`,
    5,
  ],
  [
    'placed every leg',
    { submission: { state: 'done' }, rows: [placed(1)] },
    'done',
    'The broker accepted the order of every leg.',
    undefined,
  ],
  [
    'was declined',
    { submission: { state: 'declined' } },
    'declined',
    'The draft was rejected or discarded before it was approved; nothing was sent.',
    undefined,
  ],
  [
    'expired',
    { submission: { state: 'expired' } },
    'expired',
    'The draft was not approved in time; nothing was sent.',
    undefined,
  ],
  [
    'was stopped',
    { submission: { state: 'stopped' }, rows: [placed(1), row(2)] },
    'stopped',
    'Sending stopped. Orders that had not left were not sent, and stay unsent.',
    undefined,
  ],
  [
    'was stopped, and its orders were found',
    { submission: { state: 'stopped' }, rows: [placed(1), placed(2)] },
    'stopped',
    'Sending stopped, but the orders of all legs were placed, as was found since.',
    undefined,
  ],
  [
    'waits 20 seconds for the limit per minute',
    { orderAgo: 40_000 },
    'sending',
    'The limit of orders per minute lets the next leg wait. Legs are sent one after the other; do not place any of them again.',
    20,
  ],
  [
    'waits a part of a second more',
    { orderAgo: 39_500 },
    'sending',
    'The limit of orders per minute lets the next leg wait. Legs are sent one after the other; do not place any of them again.',
    21,
  ],
  [
    'waits a second for that limit',
    { orderAgo: 59_000 },
    'sending',
    'The limit of orders per minute lets the next leg wait. Legs are sent one after the other; do not place any of them again.',
    5,
  ],
  [
    'waits for fills within that limit',
    { rows: [placed(1), dependent], orderAgo: 1_000 },
    'waiting_for_fills',
    `The remaining buys wait for the fills of the sells. ${doNotRepeat}`,
    5,
  ],
])('an attempt that %s: its outcome, its message and when to ask again', async (_, given, ...expected) => {
  const { outcome, message, retryAfterSeconds } = await describeRows(given);
  expect([outcome, message, retryAfterSeconds]).toEqual(expected);
});

test('the steps after a stop whose orders were all found are those of a draft that is done', async () => {
  const submission = { state: 'stopped' } as const;
  expect((await describeRows({ submission, rows: [placed(1)] })).next).toBe(
    'Follow each order to its fill with get_order.',
  );
  expect((await describeRows({ submission, rows: [placed(1)], reader: 'person' })).next).toBe(
    'Your broker shows when the orders are filled.',
  );
});

test.each<[string, Partial<Submission>, true | undefined]>([
  ['declined in a form', { state: 'declined', approval: approvalUntil(startAt, { by: 'elicitation' }) }, true],
  ['declined on the page', { state: 'declined', approval: approvalUntil(startAt, { by: 'page' }) }, undefined],
  ['discarded before a decision', { state: 'declined', approval: approvalUntil(startAt) }, undefined],
  ['declined without an approval', { state: 'declined' }, undefined],
  [
    'stopped after a form approved it',
    { state: 'stopped', approval: approvalUntil(startAt, { by: 'elicitation' }) },
    undefined,
  ],
])('%s: only a declined form may have been seen by nobody', async (_, submission, formDeclined) => {
  const report = await describeRows({ submission });
  expect(report.formDeclined).toBe(formDeclined);
  const text = 'The host declined the form; a person may not have seen it. Nothing was sent.';
  expect(report.message === text).toBe(formDeclined ?? false);
});

test.each<[string, Partial<Submission>, ReturnType<typeof row>, string | undefined]>([
  ['Stop', { endedBy: 'stop' }, row(1), 'stopped'],
  ['a discarded draft', { endedBy: 'discard' }, row(1), 'discarded'],
  ['a halt', { rule: 'halted' }, row(1), 'halted'],
  ['the end of its time', { rule: 'submission_ended' }, row(1), 'time'],
  ['another rule', { rule: 'duplicate_order' }, row(1), undefined],
  ['another leg', {}, row(1), undefined],
  ['Stop while its order waited', { endedBy: 'stop' }, row(1, { state: 'NOT_SENT' }), 'stopped'],
  [
    'Stop while its order waited, by the rule',
    { endedBy: 'stop' },
    row(1, { state: 'NOT_SENT', rule: 'submission_ended' }),
    'stopped',
  ],
  [
    'the end of its time while its order waited',
    { rule: 'submission_ended' },
    row(1, { state: 'NOT_SENT', rule: 'submission_ended' }),
    'time',
  ],
  ['a halt before Stop', { endedBy: 'stop' }, row(1, { state: 'REFUSED', rule: 'halted' }), 'halted'],
  [
    'a rule of its own before Stop',
    { endedBy: 'stop' },
    row(1, { state: 'REFUSED', rule: 'max_order_value' }),
    undefined,
  ],
  [
    'a rule of its own before a halt',
    { rule: 'halted' },
    row(1, { state: 'REFUSED', rule: 'max_order_value' }),
    undefined,
  ],
  ['nothing, because it was sent', { endedBy: 'stop' }, placed(1), undefined],
  // What was sent may be live, whatever ended the draft.
  ...(['SENDING', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT', 'REJECTED', 'CLOSED'] as const).map(
    (state): [string, Partial<Submission>, ReturnType<typeof row>, undefined] => [
      `nothing, because it is ${state}`,
      { endedBy: 'stop' },
      row(1, { state, sentAt: startAt }),
      undefined,
    ],
  ),
])('a leg of a stopped draft says what ended it: %s', async (_, change, one, cause) => {
  const report = await describeRows({ submission: { state: 'stopped', ...change }, rows: [one] });
  expect(report.legs[0]?.unsentBecause).toBe(cause);
});

test('a leg is named by its order, and has the outcome that it has now', async () => {
  const { legs } = await describeRows({
    submission: { state: 'stopped' },
    rows: [placed(1), row(2), row(3, { state: 'REJECTED' })],
  });
  expect(legs).toMatchObject([
    { leg: 1, order: 'BUY 1 AAA_EQ', outcome: 'placed', intentId: 'i1', orderId: '1' },
    { leg: 2, order: 'BUY 2 AAA_EQ', outcome: 'not_sent' },
    { leg: 3, order: 'BUY 3 AAA_EQ', outcome: 'rejected', intentId: 'i3' },
  ]);
  const open = await describeRows({ rows: [row(1)] });
  expect(open.legs).toEqual([{ leg: 1, order: 'BUY 1 AAA_EQ', outcome: 'waiting' }]);
});

test('a leg that was refused has the rule, and one that was placed the status at the broker', async () => {
  const { legs } = await describeRows({
    submission: { state: 'stopped' },
    rows: [
      row(1, { state: 'PLACED', orderId: '8', orderStatus: 'FILLED' }),
      row(2, { state: 'REFUSED', rule: 'max_order_value', reason: 'Too large.' }),
    ],
  });
  expect(legs).toEqual([
    { leg: 1, order: 'BUY 1 AAA_EQ', outcome: 'placed', intentId: 'i1', orderId: '8', status: 'FILLED' },
    {
      ...{ leg: 2, order: 'BUY 2 AAA_EQ', outcome: 'refused', intentId: 'i2' },
      ...{ rule: 'max_order_value', reason: 'Too large.' },
    },
  ]);
});

test('a leg that waits for its turn at the broker names its order', async () => {
  const { legs } = await describeRows({ rows: [row(1, { state: 'NOT_SENT', retryUntil: startAt + 1 })] });
  expect(legs).toEqual([{ leg: 1, order: 'BUY 1 AAA_EQ', outcome: 'waiting', intentId: 'i1' }]);
});

test('the report names the attempt, the draft, the version that is sent and the time after which no leg leaves', async () => {
  expect(await describeRows({})).toMatchObject({
    submissionId: id,
    draftId: 'd1',
    version: 6,
    endsAt: '2026-01-15T15:15:00.000Z',
  });
});

test.each<[string, Given, string]>([
  [
    'was stopped with a leg that is left',
    { submission: { state: 'stopped' }, rows: [placed(1), row(2)] },
    'Version 7 of the draft holds the legs that were not sent; submit it if the user wants them.',
  ],
  [
    'was stopped while an order is tried again',
    { submission: { state: 'stopped' }, rows: [row(1, { state: 'NOT_SENT', retryUntil: startAt + 1 })] },
    'Call get_order with intentId i1: that order MAY be live.',
  ],
  [
    'was stopped after an order was tried for the last time',
    { submission: { state: 'stopped' }, rows: [row(1, { state: 'NOT_SENT', retryUntil: startAt })], draft: undefined },
    'Tell the user why it stopped. For what was not placed, plan again or make a new draft.',
  ],
  [
    'was declined in a form',
    { submission: { state: 'declined', approval: approvalUntil(startAt, { by: 'elicitation' }) } },
    'Ask the user. If they saw no form, the owner can run “brokerage-mcp drafts submit d1” in a terminal; submit_draft sends the form again.',
  ],
  [
    'was declined on the page',
    { submission: { state: 'declined', approval: approvalUntil(startAt, { by: 'page' }) } },
    'Ask the user what to do instead.',
  ],
])('the next step of an attempt that %s', async (_, given, next) => {
  expect((await describeRows(given)).next).toBe(next);
});

test('a leg whose record was removed was not sent, and one without a version has no order to name', async () => {
  const gone = row(1, undefined, { state: 'taken' });
  const { legs } = await describeRows({ submission: { state: 'stopped' }, rows: [gone], version: undefined });
  expect(legs).toEqual([{ leg: 1, order: '', outcome: 'not_sent' }]);
});

test.each<[string, Given, number | undefined]>([
  ['it was stopped with a leg that was not sent', { submission: { state: 'stopped' }, rows: [placed(1), row(2)] }, 7],
  ['it is still open', { rows: [row(1)] }, undefined],
  ['every leg was sent', { submission: { state: 'done' }, rows: [placed(1)] }, undefined],
  [
    'the draft was discarded',
    { submission: { state: 'stopped' }, draft: { state: 'discarded', version: 7 } },
    undefined,
  ],
  ['the draft is gone', { submission: { state: 'stopped' }, draft: undefined }, undefined],
])('the version with what is left: %s', async (_, given, version) => {
  expect((await describeRows(given)).remainingVersion).toBe(version);
});

test('a draft that waits for a person says until when, and how it is approved', async () => {
  const until = startAt + 119_500;
  const submission = { ...waitsForPerson, approval: approvalUntil(until) };
  const { approval } = await describeRows({ submission });
  expect(approval).toEqual({
    method: 'page',
    how: 'The owner must run "brokerage-mcp drafts submit d1" in a terminal.',
    secondsLeft: 120,
    expiresAt: new Date(until).toISOString(),
    totals: { bought: '1.00' },
  });
  expect((await describeRows({ submission: { ...submission, state: 'sending' } })).approval).toBeUndefined();
});

test('warnings are an empty list where there are none', async () => {
  expect((await describeRows({})).warnings).toEqual([]);
  expect((await describeRows({ submission: { warnings: ['Closed.'] } })).warnings).toEqual(['Closed.']);
});

test('a draft that was never submitted has no report, also when another one is sent', async () => {
  const { deps } = openBook();
  const other = await saveDraft(deps, { legs: [leg()] });
  const { draftId } = await saveDraft(deps, { legs: [leg({ quantity: '9' })] });
  const { store }: StopDeps = deps;
  await store.change((tx) =>
    tx.insertSubmission(
      {
        ...{ accountKey: 'account', environment: 'demo', id, draftId: other.draftId, version: 1, state: 'done' },
        ...{ createdAt: startAt, endsAt: startAt + 900_000, haltCount: 0 },
      },
      [],
    ),
  );
  const own = { ...deps, store, limits: async () => effectiveLimits('demo', {}, {}) };
  expect(await reportLatest(own, draftId, 'model')).toBeUndefined();
  expect(await reportSubmission(own, 'unknown', 'model')).toBeUndefined();
  expect(await reportLatest(own, other.draftId, 'model')).toMatchObject({ submissionId: id, outcome: 'done' });
});

test.each<[string, Draft['state'], number, SubmissionOutcome | undefined, string]>([
  ['was never submitted', 'open', 1, undefined, 'open'],
  ['was never submitted and is over', 'open', 0, undefined, 'expired'],
  ['was discarded and is over', 'discarded', 0, undefined, 'discarded'],
  ['was sent and is over', 'sent', 0, 'done', 'sent'],
  ['was stopped', 'open', 1, 'stopped', 'open'],
  ['waits for a person', 'open', 1, 'pending_approval', 'pending_approval'],
  ['is sent', 'open', 1, 'sending', 'sending'],
  ['waits for fills', 'sent', 1, 'waiting_for_fills', 'waiting_for_fills'],
])('the state of a draft that %s', (_, state, leftMs, outcome, expected) => {
  const draft = { state, expiresAt: startAt + leftMs } as Draft;
  expect(describeDraftState(draft, outcome && { outcome }, startAt)).toBe(expected);
});

const outcomes = [
  'done',
  'declined',
  'expired',
  'stopped',
  'pending_approval',
  'waiting_for_fills',
  'refused',
  'sending',
] as const;

test('legs leave while a draft is sent or waits for fills, and an open one can change without a call', () => {
  expect(outcomes.filter((outcome) => isBeingSent({ outcome }))).toEqual(['waiting_for_fills', 'sending']);
  expect(outcomes.filter((outcome) => openOutcomes.has(outcome))).toEqual([
    'pending_approval',
    'waiting_for_fills',
    'sending',
  ]);
});

test('a draft whose time has passed is ended for its reader, also when another draft was submitted since', async () => {
  const { deps, clock } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg()] });
  const other = await saveDraft(deps, { legs: [leg({ quantity: '9' })] });
  const { store }: StopDeps = deps;
  const base = { accountKey: 'account', environment: 'demo', version: 1, haltCount: 0 };
  const endsAt = startAt + 900_000;
  await store.change(async (tx) => {
    await tx.insertSubmission({ ...base, id, draftId, state: 'sending', createdAt: startAt, endsAt }, [
      { submissionId: id, number: 1, state: 'waiting', position: 0, isDependent: false },
    ]);
    const later = { createdAt: startAt + 1, endsAt: endsAt + 1 };
    await tx.insertSubmission({ ...base, ...later, id: 'later', draftId: other.draftId, state: 'done' }, []);
  });
  await clock.advance(900_000);
  const own = { ...deps, store, limits: async () => effectiveLimits('demo', {}, {}) };
  expect(await reportLatest(own, draftId, 'model')).toMatchObject({ outcome: 'stopped', rule: 'submission_ended' });
});

test('what is left of a draft whose time has passed is kept at the time when it is read', async () => {
  const { deps, clock } = openBook();
  const { draftId } = await saveDraft(deps, { legs: [leg(), leg({ quantity: '9' })] });
  const { store }: StopDeps = deps;
  const base = { accountKey: 'account', environment: 'demo', haltCount: 0, createdAt: startAt };
  const waiting = { submissionId: id, position: 0, state: 'waiting', isDependent: false } as const;
  await store.change(async (tx) => {
    await tx.insertSubmission({ ...base, id, draftId, version: 1, state: 'sending', endsAt: startAt + 900_000 }, [
      { ...waiting, number: 1 },
      { ...waiting, number: 2, position: 1 },
    ]);
    const order = {
      ...base,
      id: 'i1',
      kind: 'order',
      ticker: 'AAA_EQ',
      request: leg(),
      fingerprint: 'f',
      owner: 'test',
    };
    const sent = { state: 'PLACED', changedAt: startAt, sentAt: startAt, method: 'none' };
    await tx.insert({ ...order, ...sent, leg: { submissionId: id, number: 1 } } as unknown as Intent);
  });
  await clock.advance(900_000);
  await reportLatest({ ...deps, store, limits: async () => effectiveLimits('demo', {}, {}) }, draftId, 'model');
  const kept = await store.read((tx) => tx.findVersion(draftId, 2));
  expect([kept?.createdAt, kept?.legs.map(({ quantity }) => quantity)]).toEqual([startAt + 900_000, ['9']]);
});

test.each<[string, Partial<Submission>, 'gone' | undefined]>([
  ['has no owner, ten seconds after its beginning', { owner: undefined, endsAt: startAt + 890_000 }, undefined],
  ['has no owner, a millisecond later', { owner: undefined, endsAt: startAt + 889_999 }, 'gone'],
  ['has an owner that keeps its lease', {}, undefined],
  ['has an owner that lost its lease', { leaseUntil: startAt }, 'gone'],
  ['has ended', { state: 'stopped', owner: undefined, endsAt: startAt }, undefined],
])('an attempt that %s: whether its sender is gone', async (_, submission, sender) => {
  const report = await describeRows({ submission });
  expect(report.sender).toBe(sender);
  expect(report.message.startsWith('No process is sending the legs now')).toBe(sender === 'gone');
});
