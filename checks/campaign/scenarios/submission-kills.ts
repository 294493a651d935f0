/** The process that sends a draft is killed at each step of each leg, and another carries on. */
import { openRig } from '../harness.ts';
import { type CampaignLeg, inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count } from '../scenario-run.ts';
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

/** Plans the kill. The returned function is called right before the draft is submitted. */
function planKill(bench: Bench, trial: DraftTrial, point: Point, leg: CampaignLeg, kill: () => void): () => void {
  const { upstream } = trial.rig.site;
  const moment = { quantity: leg.quantity, books: bench.random.below(3) > 0, reads: 0, action: kill };
  const whenStates = (states: readonly string[], then: () => void) => () =>
    void whenLegIs(trial, leg, states).then((found) => found && then());
  if (point === 'submitted') return () => void whenSubmitted(trial).then(kill);
  // Slow enough for the store to be seen in between.
  if (point === 'taken' || point === 'committed' || point === 'recorded')
    at(upstream, bench.random, { ...moment, step: 'request read', books: true, action: () => undefined });
  if (point === 'taken') return whenStates(['APPROVED', 'SENDING', 'PLACED'], kill);
  if (point === 'committed') return whenStates(['SENDING', 'PLACED'], kill);
  if (point === 'recorded') return whenStates(['PLACED'], kill);
  const planned = at(upstream, bench.random, { ...moment, step: point === 'connection accepted' ? 'answered' : point });
  if (point !== 'connection accepted') return planned.begin;
  // The next connection after the intent is the order's.
  return whenStates(['APPROVED'], () => upstream.onNextConnection(0, kill));
}

async function killTrial(bench: Bench, site: Bench['site'], index: number): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const point = points[index % points.length] as Point;
    const number = Math.floor(index / points.length) % legsOfEach;
    const sells = random.below(legsOfEach);
    const legs = makeLegs(site, random, { sells, buys: legsOfEach - sells });
    const sequence = inSendingOrder(legs);
    const [victim, bystander] = await Promise.all([rig.server(), random.below(2) === 0 ? rig.server() : undefined]);
    const trial = await saveDraft(rig, victim, legs, `killed when ${point}, leg ${number + 1}`);
    const attempt = beginAttempt(trial, 1, legs);
    const begin = planKill(bench, trial, point, sequence[number] as CampaignLeg, () => victim.kill());
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

export const submissionKills: Scenario = {
  name: 'draft: kill -9 at each step of each leg',
  weight: 200,
  short: 4,
  run: (bench) => runInLanes(bench, bench.random.below(points.length * legsOfEach), killTrial),
};
