/** What is written when a draft is submitted, before anything of it is sent. */
import { expect, test } from 'vitest';
import { createAuditTrail } from '../../../../src/core/store/audit-table.ts';
import { saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import type { SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import { createSubmissions } from '../../../../src/features/drafts/submission/submissions.ts';
import { makeIntent } from '../../../core/orders/risk/example-account.ts';
import { buy, buys, openWorld, type SmallWorld, sell, startAt } from './small-world.ts';

const legsOf = (made: SmallWorld, id: string) => made.store.read((tx) => tx.listSubmissionLegs(id));

/** Submits a draft of these legs, and sends it. */
async function send(made: SmallWorld, ...legs: Parameters<SmallWorld['submit']>) {
  const submission = await made.submit(...legs);
  made.program.submissions.tick();
  await made.pass(10_000);
  expect((await made.find(submission.id)).state).toBe('done');
  return submission;
}

test('an attempt has its draft, its account and 15 minutes, and is in the audit trail with the number of its legs', async () => {
  const made = await openWorld();
  const { id, draftId } = await made.submit(buys(3));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(await made.find(id)).toEqual({
    ...{ id, draftId, version: 1, accountKey: 'account', environment: 'demo' },
    ...{ state: 'sending', createdAt: startAt, endsAt: startAt + 900_000, haltCount: 0, warnings: [] },
  });
  const [last] = (await createAuditTrail(made.engine).last(20)).filter(({ kind }) => kind === 'submission');
  expect(last).toMatchObject({
    environment: 'demo',
    data: { submissionId: id, draftId, version: 1, state: 'sending', legs: 3 },
  });
});

test('each leg waits in its place with what it takes of the limits: a buy with the margin of 2 %', async () => {
  const made = await openWorld();
  const { id: submissionId } = await made.submit([
    buy(),
    sell({ type: 'LIMIT', limitPrice: '11' }),
    buy({ quantity: '2' }),
  ]);
  const waiting = { submissionId, state: 'waiting', isDependent: false };
  expect(await legsOf(made, submissionId)).toEqual([
    { ...waiting, number: 1, position: 1, value: '5.10' },
    { ...waiting, number: 2, position: 0, value: '110.00' },
    { ...waiting, number: 3, position: 2, value: '10.20' },
  ]);
});

test('an attempt keeps what the owner should know of closed markets', async () => {
  const made = await openWorld();
  const timeEvents = [{ date: '2026-01-15T08:00:00Z', type: 'CLOSE' }];
  const exchanges = [{ id: '1', name: 'Exchange', workingSchedules: [{ id: '1', timeEvents }] }];
  const { deps, approvals } = made.program;
  const directory = {
    ...deps.directory,
    exchanges: async () => ({ exchanges }),
  } as unknown as SubmissionDeps['directory'];
  const service = createSubmissions({ ...deps, directory }, approvals);
  const draftId = await made.save(buys(1));
  const submitted = await made.run(service.create({ draftId, version: 1 }, made.contextFor()));
  expect(submitted).toMatchObject({
    kind: 'new',
    submission: { warnings: ['The market of order 1 (CCC) is closed. It opens at an unknown time.'] },
  });
});

test('a leg of a repetition names the order that it repeats', async () => {
  const made = await openWorld();
  const first = await send(made, buys(2));
  const orders = await made.store.read((tx) => tx.list({ submissionId: first.id }));
  const again = await made.create({ draftId: first.draftId, version: 1, repeatOf: first.id });
  const id = again.kind === 'new' ? again.submission.id : '';
  expect(await made.find(id)).toMatchObject({ repeatOf: first.id });
  const idOf = (number: number) => orders.find(({ leg }) => leg?.number === number)?.id;
  expect((await legsOf(made, id)).map(({ number, repeatOf }) => [number, repeatOf])).toEqual([
    [1, idOf(1)],
    [2, idOf(2)],
  ]);
});

test('of two calls at once, one creates the attempt and the other is given the same one', async () => {
  const made = await openWorld();
  const wanted = { draftId: await made.save(buys(1)), version: 1 };
  const [one, other] = await Promise.all([made.create(wanted), made.create(wanted)]);
  const kinds = [one.kind, other.kind].toSorted();
  expect(kinds).toEqual(['existing', 'new']);
  const ids = [one, other].map((submitted) => submitted.kind !== 'refused' && submitted.submission.id);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(ids[1]).toBe(ids[0]);
});

test('a draft can be submitted after another one has ended, and not while that is sent', async () => {
  const made = await openWorld();
  const first = await made.submit(buys(1));
  const draftId = await made.save([sell()]);
  await expect(made.create({ draftId, version: 1 })).rejects.toMatchObject({
    code: 'submission_open',
    facts: { submissionId: first.id, draftId: first.draftId, retryAfterSeconds: 10 },
  });
  made.program.submissions.tick();
  await made.pass(10_000);
  expect((await made.create({ draftId, version: 1 })).kind).toBe('new');
});

test('a draft that buys what another one bought has to wait for the rest of ten minutes', async () => {
  const made = await openWorld();
  const first = await send(made, buys(1));
  const draftId = await made.save([buy({ quantity: '7' })]);
  // Seventy seconds after the order left.
  await made.pass(60_000);
  const submitted = await made.create({ draftId, version: 1 });
  expect(submitted).toMatchObject({
    kind: 'refused',
    refusal: { rule: 'repeated_submission', leg: 1, retryAfterSeconds: 530 },
  });
  expect(submitted.kind === 'refused' && submitted.refusal.reason).toContain(first.id);
});

test('a draft that is being sent cannot be changed, and can be tried again in ten seconds', async () => {
  const made = await openWorld();
  const { draftId } = await made.submit(buys(1));
  const edited = saveDraft(made.program.deps, { seen: { draftId, version: 1 }, legs: buys(2) });
  await expect(edited).rejects.toMatchObject({ code: 'submission_open', facts: { retryAfterSeconds: 10 } });
});

test.each<[string, number, string]>([
  ['can still be sent', 60_000, 'existing'],
  ['was certainly not sent', 0, 'new'],
])(
  'a version whose order %s (for %i ms) after its attempt was stopped: a submit finds or makes an attempt, %s',
  async (_, ms, kind) => {
    const made = await openWorld();
    const { id: submissionId, draftId } = await made.submit(buys(1));
    await made.change(submissionId, { state: 'stopped' });
    const intent = { state: 'NOT_SENT', sentAt: undefined, environment: 'demo', retryUntil: startAt + ms } as const;
    await made.store.change((tx) => tx.insert(makeIntent({ id: 'i1', ...intent, leg: { submissionId, number: 1 } })));
    expect((await made.create({ draftId, version: 1 })).kind).toBe(kind);
  },
);
