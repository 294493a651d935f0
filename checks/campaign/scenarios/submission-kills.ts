/** The process that sends a draft is killed or suspended at each step of each leg, and another carries on. */
import type { Site } from '../fixture.ts';
import { openRig } from '../harness.ts';
import { type CampaignLeg, inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count, pause } from '../scenario-run.ts';
import { at, type Step } from '../scenario-steps.ts';
import type { ServerProcess } from '../server-process.ts';
import {
  beginAttempt,
  type DraftTrial,
  describeMoment,
  endAttempt,
  finishDraft,
  lookAtLeg,
  saveDraft,
  sendTheRest,
  submit,
  whenLegIs,
  whenSubmitted,
} from '../submission-trial.ts';
import type { Bench, Scenario } from '../trial-environment.ts';
import { runInLanes } from '../trial-lanes.ts';

const outside = [
  'connection accepted',
  'head arrived',
  'request read',
  'half an answer',
  'answered',
  'no answer',
] as const satisfies readonly Step[];
/** As the store shows them. The leg is `taken` when its intent is written, and `recorded` when it is known to be placed. */
const inside = ['submitted', 'taken', 'committed', 'recorded'] as const;
type Point = (typeof outside)[number] | (typeof inside)[number];
const points: readonly Point[] = [...inside, ...outside];
const legsOfEach = 3;

/** Plans what is done to the sender. The returned function is called right before the draft is submitted. */
function planAt(bench: Bench, trial: DraftTrial, point: Point, leg: CampaignLeg, action: () => void): () => void {
  const { upstream } = trial.rig.site;
  const moment = { quantity: leg.quantity, books: bench.random.below(3) > 0, reads: 0, action };
  const whenStates = (states: readonly string[], then: () => void) => () =>
    void whenLegIs(trial, leg, states).then((found) => found && then());
  if (point === 'submitted') return () => void whenSubmitted(trial).then(action);
  // Slow enough for the store to be seen in between.
  if (point === 'taken' || point === 'committed' || point === 'recorded')
    at(upstream, bench.random, { ...moment, step: 'request read', books: true, action: () => undefined });
  if (point === 'taken') return whenStates(['APPROVED', 'SENDING', 'PLACED'], action);
  if (point === 'committed') return whenStates(['SENDING', 'PLACED'], action);
  if (point === 'recorded') return whenStates(['PLACED'], action);
  const planned = at(upstream, bench.random, { ...moment, step: point === 'connection accepted' ? 'answered' : point });
  if (point !== 'connection accepted') return planned.begin;
  // The next connection after the intent is the order's.
  return whenStates(['APPROVED'], () => upstream.onNextConnection(0, action));
}

/** Every point of every leg in turn, with one or two sells or none. */
function chooseLegs({ random }: Bench, site: Site, index: number) {
  const point = points[index % points.length] as Point;
  const number = Math.floor(index / points.length) % legsOfEach;
  const sells = random.below(legsOfEach);
  const legs = makeLegs(site, random, { sells, buys: legsOfEach - sells });
  const sequence = inSendingOrder(legs);
  return { point, number: number + 1, legs, sequence, target: sequence[number] as CampaignLeg };
}

async function killTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const { point, number, legs, sequence, target } = chooseLegs(bench, site, index);
    const [victim, bystander] = await Promise.all([rig.server(), random.below(2) === 0 ? rig.server() : undefined]);
    const trial = await saveDraft(rig, victim, legs, `killed when ${point}, leg ${number}`);
    const attempt = beginAttempt(trial, 1, legs);
    const begin = planAt(bench, trial, point, target, () => victim.kill());
    const called = submit(trial, attempt, victim);
    begin();
    await called;
    victim.kill();
    await victim.ended;
    const moment = await describeMoment(trial, sequence);
    count(line, `(kill: ${point})`);
    count(line, `(found: ${moment})`);
    await carryOn(bench, trial, bystander ?? (await rig.server()), moment);
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

/** Another process carries on, and sends what is left when it may. */
async function carryOn(bench: Bench, trial: DraftTrial, server: ServerProcess, moment: string): Promise<void> {
  const [attempt] = trial.attempts;
  if (!attempt) return;
  const { random } = bench;
  const way =
    moment === 'nothing submitted' ? 'submitted again' : random.pick(['submitted again', 'shown', 'left alone']);
  if (way === 'submitted again') await submit(trial, attempt, server);
  await endAttempt(trial, attempt, server, way === 'left alone');
  // Nothing was being sent, so nothing could stop the rest.
  if (['nothing submitted', 'before the first leg', 'between two legs'].includes(moment)) attempt.expected = ['done'];
  if (random.below(2) === 0) await sendTheRest(trial, attempt, [server], server);
}

/** Where its death would be noticed, the process wakes up after others have taken over. */
const longestSleepMs = 3_000;

async function suspendTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const { point, number, legs, target } = chooseLegs(bench, site, index);
    const [sleeper, other] = await Promise.all([rig.server(), rig.server()]);
    const trial = await saveDraft(rig, sleeper, legs, `suspended when ${point}, leg ${number}`);
    const attempt = beginAttempt(trial, 1, legs);
    const sleepMs = site.noticedWithinMs + random.next() * longestSleepMs;
    let woken = Promise.resolve();
    const sleep = () => {
      sleeper.suspend();
      woken = pause(sleepMs).then(() => sleeper.resume());
    };
    const begin = planAt(bench, trial, point, target, sleep);
    const called = submit(trial, attempt, sleeper);
    begin();
    await whenSubmitted(trial);
    if (random.below(2) === 0) await submit(trial, attempt, other);
    await called;
    await woken;
    await endAttempt(trial, attempt, other);
    count(line, `(suspended: ${point})`);
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

export const submissionSleeps: Scenario = {
  name: 'draft: suspended at each step of each leg',
  weight: 60,
  short: 1,
  waits: true,
  run: (bench) => runInLanes(bench, bench.random.below(points.length * legsOfEach), suspendTrial),
};

export const submissionKills: Scenario = {
  name: 'draft: kill -9 at each step of each leg',
  weight: 200,
  short: 4,
  run: (bench) => runInLanes(bench, bench.random.below(points.length * legsOfEach), killTrial),
};
