/** Drafts in the world of the model: two programs, a broker and a clock, without a server. */
import { onTestFinished } from 'vitest';
import type { DraftLeg } from '../../../../src/features/drafts/book/draft.ts';
import { saveDraft } from '../../../../src/features/drafts/book/save-draft.ts';
import { createSubmissionRunner } from '../../../../src/features/drafts/submission/runner.ts';
import type { Submission, SubmissionDeps } from '../../../../src/features/drafts/submission/submission.ts';
import type { DraftToSend } from '../../../../src/features/drafts/submission/submit-draft.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { type AnswerKind, type Arrival, createBook } from './model/broker.ts';
import { createVirtualClock } from './model/virtual-clock.ts';
import { createWorld, type Program, type WorldOptions } from './model/world.ts';

/** A Thursday, while the market is open. */
export const startAt = Date.UTC(2026, 0, 15, 15);

/** A limit order at the last price, which stays pending. */
export const buy = (change: Partial<DraftLeg> = {}): DraftLeg => ({
  type: 'LIMIT',
  ticker: 'CCC',
  side: 'BUY',
  quantity: '1',
  limitPrice: '5',
  timeValidity: 'DAY',
  ...change,
});

/** A market order, which is filled at once unless the test says otherwise. */
export const sell = (change: Partial<DraftLeg> = {}): DraftLeg => ({
  type: 'MARKET',
  ticker: 'AAA',
  side: 'SELL',
  quantity: '10',
  ...change,
});

/** Different orders of one share, of two, and so on. */
export const buys = (count: number): readonly DraftLeg[] =>
  Array.from({ length: count }, (_, at) => buy({ quantity: String(at + 1) }));

export interface SmallWorldOptions extends Partial<Pick<WorldOptions, 'approval' | 'limits'>> {
  readonly cash?: number;
  readonly script?: readonly AnswerKind[];
  readonly fillsAtOnce?: boolean;
}

const nothing = () => undefined;
/** A loop that never ends shall fail, and not hang. */
const maxWakes = 5_000;
const maxTurns = 2_000;
const watched = {
  inserted: nothing,
  moved: nothing,
  submitted: nothing,
  submissionMoved: nothing,
  versionAdded: nothing,
};

export type SmallWorld = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(options: SmallWorldOptions = {}) {
  const { approval = 'none', limits = {}, cash = 9_000, script = [], fillsAtOnce = true } = options;
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  const clock = createVirtualClock(startAt);
  /** When each order arrived, in ms after the start, with its signed quantity and ticker. */
  const arrived: (readonly [afterMs: number, order: string])[] = [];
  const hooks = { onArrival: (_: Arrival): void => undefined };
  const book = createBook(clock, (arrival) => {
    arrived.push([clock.real() - startAt, `${arrival.order.quantity} ${arrival.order.ticker}`]);
    hooks.onArrival(arrival);
  });
  book.cash = cash;
  book.fillsAtOnce = fillsAtOnce;
  book.script.push(...script);
  const world = createWorld({ clock, book, engine, approval, limits, watched });
  await world.store.change((tx) => tx.set('security', { approval, limits: {}, enrolledAt: startAt }));
  const program = world.start();

  const settle = async () => {
    const state = { isDone: false };
    const work = world.settle().then(() => {
      state.isDone = true;
    });
    for (let turn = 0; turn < maxTurns && !state.isDone; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (!state.isDone) throw new Error('The work never ends.');
    await work;
  };
  /** Time passes, and whoever sleeps wakes in time. */
  const pass = (ms: number) => {
    let left = maxWakes;
    return clock.pass(ms, async () => {
      if (left-- === 0) throw new Error('The work never ends.');
      await settle();
    });
  };
  /** Time passes in steps of 250 ms until the work ends. */
  const run = async <Result>(work: Promise<Result>): Promise<Result> => {
    const state = { isDone: false };
    const end = () => {
      state.isDone = true;
    };
    work.then(end, end);
    await settle();
    for (let step = 0; !state.isDone; step++) {
      if (step > maxWakes) throw new Error('The work never ends.');
      await pass(250);
    }
    return work;
  };
  const contextFor = (ms = 50_000) => ({ priority: 'place', deadlineAt: clock.now() + ms }) as const;
  const save = async (legs: readonly DraftLeg[]) => (await saveDraft(program.deps, { legs })).draftId;
  const create = (wanted: DraftToSend, by: Program = program) => run(by.submissions.create(wanted, contextFor()));
  /** Saves a draft and creates the attempt to send it, which nothing sends yet. */
  const submit = async (legs: readonly DraftLeg[]): Promise<Submission> => {
    const submitted = await create({ draftId: await save(legs), version: 1 });
    if (submitted.kind !== 'new') throw new Error(`The draft was not submitted: ${JSON.stringify(submitted)}`);
    return submitted.submission;
  };
  const find = async (id: string): Promise<Submission> => {
    const found = await world.store.read((tx) => tx.findSubmission(id));
    if (!found) throw new Error('There is no such submission.');
    return found;
  };
  const change = (id: string, change: Partial<Submission>) =>
    world.store.change(async (tx) => {
      const found = await tx.findSubmission(id);
      if (found) await tx.moveSubmission(id, found.state, change);
    });
  const readDraft = async (draftId: string) =>
    world.store.read(async (tx) => {
      const draft = await tx.findDraft(draftId);
      const legs = draft && (await tx.findVersion(draftId, draft.version))?.legs;
      return [draft?.state, draft?.version, legs?.map(({ quantity }) => quantity)] as const;
    });
  /** A runner of the first program, with other parts than it has. */
  const runnerWith = (parts: Partial<SubmissionDeps> = {}) => createSubmissionRunner({ ...program.deps, ...parts });
  return {
    ...{ world, engine, store: world.store, clock, book, program, arrived, hooks },
    ...{ pass, run, settle, contextFor, save, create, submit, find, change, readDraft, runnerWith },
  };
}
