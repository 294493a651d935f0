/** Plays what happens to a draft, and checks the rules after each step. */
import { vi } from 'vitest';
import { liftHalt, setHalt } from '../../../../../src/core/orders/halt/trading-state.ts';
import { isOpen } from '../../../../../src/core/orders/intent/intent.ts';
import type { Engine } from '../../../../../src/core/store/engine.ts';
import { editDraft } from '../../../../../src/features/drafts/book/edit-draft.ts';
import { saveDraft } from '../../../../../src/features/drafts/book/save-draft.ts';
import { getFormTotal } from '../../../../../src/features/drafts/submission/announce-approval.ts';
import { viewDraftTicket } from '../../../../../src/features/drafts/submission/approve-draft.ts';
import { reportLatest, reportSubmission } from '../../../../../src/features/drafts/submission/describe-submission.ts';
import { discardDraft, stopDraft } from '../../../../../src/features/drafts/submission/stop-submission.ts';
import { createBook, prices } from './broker.ts';
import { type Attempt, approvalMs, createRules, type Rules } from './rules.ts';
import type { Scenario, Step } from './steps.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import { accountKey, createWorld, environment, type Program, passphrase, type World } from './world.ts';

/** A Thursday, while the markets are open. */
const startAt = Date.UTC(2026, 0, 15, 15);

interface Play {
  readonly scenario: Scenario;
  readonly clock: VirtualClock;
  readonly book: ReturnType<typeof createBook>;
  readonly rules: Rules;
  readonly world: World;
  readonly draftId: string;
  /** The version that the model believes to be the newest. */
  version: number;
  wasClockSet: boolean;
  /** The digest that a person was shown before. */
  oldDigest: string | undefined;
}

/** Plays a scenario on an empty store. Throws with the first rule that was broken. */
export async function play(scenario: Scenario, engine: Engine): Promise<void> {
  // A response that could not be written is tried again by a timer, which must not fire in the next scenario.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const played = await begin(scenario, engine);
    for (const step of scenario.before) await take(played, step);
    await take(played, { kind: 'submit', by: 0 });
    for (const step of scenario.between) await take(played, step);
    await take(played, { kind: 'approve', how: 'right' });
    for (const step of scenario.steps) await take(played, step);
    await heal(played);
  } finally {
    vi.useRealTimers();
  }
}

async function begin(scenario: Scenario, engine: Engine): Promise<Play> {
  const clock = createVirtualClock(startAt);
  const book = createBook(clock, (arrival) => rules.arrived(arrival));
  const rules = createRules(clock, book);
  book.fillsAtOnce = scenario.fillsAtOnce;
  book.cash = cashFor(scenario);
  book.script.push(...scenario.script);
  const limits = {
    ordersPerMinute: scenario.ordersPerMinute,
    ordersPerHour: scenario.legs.length + scenario.spare,
  };
  const world = createWorld({ clock, book, engine, approval: scenario.approval, limits, watched: rules.watched });
  await world.store.change((tx) =>
    tx.set('security', { approval: scenario.approval, limits: {}, enrolledAt: startAt }),
  );
  const { deps } = world.start();
  const { draftId, version } = await saveDraft(deps, { legs: scenario.legs });
  rules.versions.set(`${draftId} ${version}`, scenario.legs);
  return { scenario, clock, book, rules, world, draftId, version, wasClockSet: false, oldDigest: undefined };
}

/** Enough for everything, or just enough when the sells are filled as is expected of them. */
function cashFor({ legs, isPoor }: Scenario): number {
  if (!isPoor) return 9_000;
  let [cost, proceeds] = [0, 0];
  for (const { side, type, quantity, limitPrice, stopPrice, ticker } of legs) {
    const price = Number(limitPrice ?? stopPrice ?? prices[ticker]);
    if (side === 'BUY') cost += Number(quantity) * price * 1.02;
    else if (type !== 'STOP') proceeds += Number(quantity) * price * (type === 'MARKET' ? 0.98 : 1);
  }
  return Math.ceil(Math.max(0, cost - proceeds)) + 1;
}

/** Whether nothing happens that can stop a draft; a program that is killed between two legs cannot. */
function isCalm({ script, before, between, steps }: Scenario): boolean {
  let passed = 0;
  const isTaken = (answer: string) => ['accept', 'fill', 'slow'].includes(answer);
  const isHarmless = (step: Step) => {
    if (step.kind === 'pass') passed += step.ms;
    return step.kind === 'answer'
      ? isTaken(step.answer)
      : ['pass', 'fill', 'start', 'submit'].includes(step.kind) || (step.kind === 'approve' && step.how === 'right');
  };
  return script.every(isTaken) && [...before, ...between, ...steps].every(isHarmless) && passed < 100_000;
}

const isAlive = ({ state }: Program) => !state.isDead;
/** The program that a step names, among those that live. */
const pick = ({ world }: Play, by: number): Program | undefined => {
  const alive = world.programs.filter(isAlive);
  return alive[by % Math.max(1, alive.length)];
};
/** Work that a step begins; it may wait for time to pass, and its program may be killed. */
const begun = (work: Promise<unknown>): void => void work.catch(() => undefined);

async function take(played: Play, step: Step): Promise<void> {
  await act(played, step);
  await played.world.settle();
  await check(played, step);
}

async function check(played: Play, step: Step | undefined): Promise<void> {
  const { rules } = played;
  for (const { id } of rules.attempts) {
    const report = await reportSubmission(observer(played), id, 'model');
    if (report) rules.checkReport(report);
    if (step?.kind === 'pass' && report?.sender === 'gone' && canCarryOn(played))
      rules.violations.push('no program carries on, although one lives');
  }
  if (rules.violations.length > 0)
    throw new Error(`${step ? JSON.stringify(step) : 'the end'}: ${rules.violations.join('; ')}`);
}

const canCarryOn = ({ world, wasClockSet }: Play): boolean =>
  !wasClockSet && !world.shared.isMistaken && !world.shared.failure?.times && world.programs.some(isAlive);

/** Reads the store as a program does that cannot be killed. */
const observer = ({ world, clock }: Play) => {
  const limits = world.programs[0]?.deps.limits as never;
  const isLiving = (owner: string) => world.programs.some((one) => one.name === owner && isAlive(one));
  const processes = { self: 'observer', isAlive: isLiving };
  return { store: world.store, clock, limits, processes, environment, accountKey: async () => accountKey };
};

const findOpen = ({ rules }: Play): Attempt | undefined =>
  rules.attempts.findLast(({ closed }) => closed === undefined);

async function act(played: Play, step: Step): Promise<void> {
  const { world, book, clock, rules, draftId } = played;
  switch (step.kind) {
    case 'answer':
      return void book.script.push(step.answer);
    case 'submit':
      return submit(played, step.by);
    case 'repeat':
      return submit(played, step.by, rules.attempts.at(-1)?.id);
    case 'approve':
      return approve(played, step.how);
    case 'decline':
      return decline(played);
    case 'stop':
      return stop(played, (deps) => stopDraft(deps, draftId, 'page'));
    case 'discard':
      return stop(played, (deps) => discardDraft(deps, draftId));
    case 'halt':
      await world.store.change((tx) => setHalt(tx as never, { at: clock.now(), by: 'command', reason: 'test' }));
      for (const attempt of rules.attempts) attempt.isHalted = true;
      return undefined;
    case 'resume':
      return world.store.change((tx) => liftHalt(tx as never));
    case 'pass':
      return pass(played, step.ms);
    case 'setClock':
      clock.set(step.ms);
      played.wasClockSet = true;
      rules.isExcused = true;
      return undefined;
    case 'fill':
      for (const { id } of book.listOpen().slice(0, step.most)) book.fill(id, step.share);
      return undefined;
    case 'cancel':
      rules.isExcused = true;
      for (const { id } of book.listOpen().slice(0, 1)) book.cancel(id);
      return undefined;
    default:
      return actOnPrograms(played, step);
  }
}

async function actOnPrograms(played: Play, step: Step): Promise<void> {
  const { world } = played;
  switch (step.kind) {
    case 'kill': {
      const program = pick(played, step.by);
      if (program) program.state.pointsLeft = step.points;
      return undefined;
    }
    case 'end': {
      const program = pick(played, step.by);
      if (!program) return undefined;
      begun(program.submissions.stop().then(() => program.orderManager.stop()));
      await pass(played, 50_000);
      program.state.isDead = true;
      return undefined;
    }
    case 'start':
      if (world.programs.filter(isAlive).length < 3) world.start();
      return undefined;
    case 'storeFails':
      world.shared.failure = { kind: step.how, after: step.after, times: step.times };
      return undefined;
    case 'mistake':
      world.shared.isMistaken = !world.shared.isMistaken;
      return undefined;
    case 'edit':
      return edit(played, step);
    case 'single':
      return single(played, step.by);
    default:
      return undefined;
  }
}

async function submit(played: Play, by: number, repeatOf?: string): Promise<void> {
  const program = pick(played, by);
  if (!program) return;
  const wanted = { draftId: played.draftId, version: await newestVersion(played), repeatOf };
  begun(program.submissions.create(wanted, { priority: 'place', deadlineAt: played.clock.now() + 50_000 }));
  await played.world.settle();
  begun(program.submissions.tick());
}

const newestVersion = async ({ world, draftId }: Play): Promise<number> =>
  (await world.store.read((tx) => tx.findDraft(draftId)))?.version ?? 1;

/** A person decides; only a right answer, in time, approves. */
async function approve(played: Play, how: 'right' | 'wrong' | 'old'): Promise<void> {
  const { rules, clock, draftId, scenario } = played;
  const program = pick(played, 0);
  const attempt = findOpen(played);
  if (!program || !attempt?.needsApproval || attempt.approvedAt !== undefined) return;
  const view = await viewDraftTicket(observer(played), draftId);
  const digest = (how === 'old' ? played.oldDigest : view?.digest) ?? 'none';
  const age = clock.now() - attempt.startedAt;
  const isInTime = age < approvalMs(attempt.legs.length) && age >= -5_000;
  // What was shown before is still right when it is shown again; in a form, the old answer has another total.
  const isShownAgain = how === 'old' && view?.digest === played.oldDigest && scenario.approval !== 'elicitation';
  const isRight = how === 'right' || isShownAgain;
  if (isRight && isInTime && view) attempt.approvedAt = clock.now();
  const { nonce = '' } = (await played.world.store.read((tx) => tx.findSubmission(attempt.id)))?.approval ?? {};
  const form = {
    nonce,
    confirmLegs: how === 'wrong' ? attempt.legs.length + 1 : attempt.legs.length,
    confirmTotal: how === 'old' ? '0' : view && getFormTotal(view.ticket),
  };
  const typed = how === 'wrong' ? 'a guess' : passphrase;
  const decided =
    scenario.approval === 'elicitation'
      ? program.approvals.confirm(form)
      : program.approvals.approve({ submissionId: attempt.id, digest, passphrase: typed, channel: 'page' });
  begun(
    decided.then(({ kind }) => {
      if (kind === 'approved' && attempt.approvedAt === undefined) rules.violations.push('approved by a wrong answer');
      if (kind !== 'approved' && attempt.approvedAt !== undefined && attempt.closed === undefined && isRight)
        rules.violations.push(`a right approval is answered with ${kind}`);
    }),
  );
  played.oldDigest = view?.digest ?? played.oldDigest;
}

async function decline(played: Play): Promise<void> {
  const program = pick(played, 0);
  const attempt = findOpen(played);
  if (!program || !attempt) return;
  const declined = program.approvals.reject({ submissionId: attempt.id, channel: 'page' });
  begun(
    declined.then(({ kind }) => {
      if (kind === 'rejected') attempt.closed ??= 'declined';
    }),
  );
}

async function stop(played: Play, how: (deps: Program['deps']) => Promise<unknown>): Promise<void> {
  const program = pick(played, 1);
  const attempt = findOpen(played);
  if (!program) return;
  begun(
    how(program.deps).then((isDone) => {
      if (attempt && isDone) attempt.closed ??= 'stopped';
    }),
  );
}

async function edit(played: Play, { leg, how }: Step & { kind: 'edit' }): Promise<void> {
  const { rules, draftId } = played;
  const program = pick(played, 0);
  if (!program) return;
  const version = await newestVersion(played);
  const legs = rules.versions.get(`${draftId} ${version}`) ?? [];
  const isOpen = findOpen(played) !== undefined;
  const [changed] = legs.slice(leg - 1, leg);
  if (!changed) return;
  const quantity = String(Number(changed.quantity) / 2);
  const change = how === 'remove' ? ({ kind: 'remove', leg } as const) : ({ kind: 'quantity', leg, quantity } as const);
  const next =
    how === 'remove'
      ? legs.filter((one) => one !== changed)
      : legs.map((one) => (one === changed ? { ...one, quantity } : one));
  rules.versions.set(`${draftId} ${version + 1}`, next);
  rules.isEdited = true;
  begun(
    editDraft(program.deps, { draftId, version, edit: change, channel: 'terminal' }).then(() => {
      if (isOpen) rules.violations.push('a draft was edited while it was being sent');
    }),
  );
}

/** An order by hand, of a ticker that no draft trades. */
async function single(played: Play, by: number): Promise<void> {
  const { clock, book } = played;
  const program = pick(played, by);
  if (!program) return;
  played.rules.hasSingle = true;
  const quantity = String(1 + book.arrivals.length);
  const request = {
    type: 'LIMIT',
    ticker: 'EEE',
    side: 'SELL',
    quantity,
    limitPrice: '1.05',
    timeValidity: 'DAY',
  } as const;
  const context = { priority: 'place', deadlineAt: clock.now() + 50_000 } as const;
  const instrument = await program.deps.directory.getOrThrow('EEE', context);
  begun(program.deps.orderManager && program.orderManager.place(request, instrument, context));
}

/** Time passes, and every program that lives does its background work. */
async function pass({ world, clock }: Play, ms: number, everyMs = Math.max(2_000, Math.ceil(ms / 6))): Promise<void> {
  for (let left = ms; left > 0; left -= everyMs) {
    await clock.pass(Math.min(everyMs, left), world.settle);
    // A program that is killed at its work leaves it to those that look once more.
    for (let alive = world.programs.filter(isAlive), died = true; died; ) {
      for (const program of alive) {
        begun(program.orderManager.tick());
        begun(program.submissions.tick());
      }
      await world.settle();
      died = alive.some((program) => !isAlive(program));
      alive = alive.filter(isAlive);
    }
  }
}

/** Whether nothing is left that a program does by itself. */
const isQuiet = async ({ world, clock }: Play): Promise<boolean> =>
  world.store.read(async (tx) => {
    const open = await tx.listSubmissions({ accountKey, states: ['awaiting_approval', 'sending'] });
    const moving = await tx.list({ accountKey, states: ['APPROVED', 'SENDING', 'NOT_SENT'] });
    const searched = await tx.list({ accountKey, states: ['UNKNOWN'] });
    return (
      open.length === 0 &&
      moving.every((intent) => intent.state === 'NOT_SENT' && !isOpen(intent, clock.now())) &&
      searched.every(({ search }) => (search?.round ?? 0) > 6)
    );
  });

/** Everything works again, and time passes until nothing is left to do. */
async function heal(played: Play): Promise<void> {
  const { world, book, rules } = played;
  world.shared.failure = undefined;
  world.shared.isMistaken = false;
  book.script.length = 0;
  for (const { state } of world.programs) if (!state.isDead) state.pointsLeft = Number.POSITIVE_INFINITY;
  if (!world.programs.some(isAlive)) world.start();
  // Longer than an attempt is sent, and than a lost order is searched for while it can still be found.
  for (let round = 0; round < 60 && (round < 3 || !(await isQuiet(played))); round++) {
    for (const { id } of book.listOpen()) book.fill(id);
    await pass(played, round < 10 ? 6_000 : 30_000, 30_000);
    if (round === 0) await check(played, { kind: 'pass', ms: 0 });
  }
  const latest = await reportLatest(observer(played), played.draftId, 'model');
  if (latest) rules.checkReport(latest);
  for (const { id } of rules.attempts) {
    const report = await reportSubmission(observer(played), id, 'model');
    if (report) rules.checkEnd(report, isCalm(played.scenario));
  }
  await check(played, undefined);
}
