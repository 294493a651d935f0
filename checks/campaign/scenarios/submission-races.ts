/** Two, four and eight processes submit one draft at the same moment; in some races one of them is killed. */
import { answerWith, asText } from '../faults/case.ts';
import { openRig, type Rig } from '../harness.ts';
import { type CampaignLeg, inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count, pause } from '../scenario-run.ts';
import { at, steps } from '../scenario-steps.ts';
import type { ServerProcess } from '../server-process.ts';
import {
  beginAttempt,
  endAttempt,
  finishDraft,
  lookAtLeg,
  saveDraft,
  sendTheRest,
  submit,
  whenSubmitted,
} from '../submission-trial.ts';
import { type Bench, createScenarios, isDone } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';
import { reset } from '../wire.ts';

const sizes = [2, 4, 8] as const;
/** As many drafts as the tickers of the account allow without a repetition. */
const roundsPerRig = 5;

export const slow = (ms: number): Fault => ({
  name: `answered after ${ms} ms`,
  books: true,
  play: async (scene) => {
    await pause(ms);
    await scene.answer({ status: 200, body: asText(scene) });
  },
});

const lost = (books: boolean): Fault => ({
  name: `lost${books ? ', booked' : ''}`,
  books,
  play: ({ socket }) => reset(socket),
});

/** What happens to one leg, and whether the draft can still be finished. */
const faults: readonly { readonly fault: Fault; readonly expected: readonly string[] }[] = [
  { fault: lost(true), expected: ['stopped', 'done'] },
  { fault: lost(false), expected: ['stopped'] },
  { fault: answerWith('503', true, () => ({ status: 503 })), expected: ['stopped', 'done'] },
  { fault: answerWith('503', false, () => ({ status: 503 })), expected: ['stopped'] },
  { fault: answerWith('rejected', false, () => ({ status: 400 })), expected: ['stopped'] },
  {
    fault: answerWith('429', false, () => ({ status: 429, headers: { 'retry-after': '1' } })),
    expected: ['stopped', 'done'],
  },
];

type Round = (
  bench: Bench,
  rig: Rig,
  servers: ServerProcess[],
  observer: ServerProcess,
  round: number,
) => Promise<void>;

/** Slow responses give the processes time to interfere. */
function planAnswers({ site, random }: Bench, sequence: readonly CampaignLeg[]) {
  for (const { quantity } of sequence) site.upstream.plan(quantity, slow(random.pick([0, 10, 40])));
  if (random.below(2) === 0) return { name: 'no fault', expected: ['done'] };
  const number = random.below(sequence.length);
  const { fault, expected } = random.pick(faults);
  site.upstream.plan(sequence[number]?.quantity ?? '', fault, slow(0));
  return { name: `leg ${number + 1} ${fault.name}`, expected };
}

const race: Round = async (bench, rig, servers, observer, round) => {
  const { site, random } = bench;
  const legs = makeLegs(site, random, { sells: random.below(3), buys: 1 + random.below(3), round });
  const { name, expected } = planAnswers(bench, inSendingOrder(legs));
  const trial = await saveDraft(rig, observer, legs, `${servers.length} processes, ${name}`);
  const attempt = beginAttempt(trial, 1, legs);
  attempt.expected = expected;
  const spreadMs = random.pick([0, 0, 30, 300]);
  const calls = servers.map(async (server) => {
    await pause(random.next() * spreadMs);
    return submit(trial, attempt, server);
  });
  await Promise.all(calls);
  await endAttempt(trial, attempt, observer);
  await sendTheRest(trial, attempt, servers, observer);
  count(rig.line, `(${servers.length} processes)`);
  await finishDraft(trial);
};

const killedRace: Round = async (bench, rig, servers, observer, round) => {
  const { site, random } = bench;
  const legs = makeLegs(site, random, { sells: 1 + random.below(2), buys: 1 + random.below(2), round });
  const sequence = inSendingOrder(legs);
  for (const { quantity } of sequence) site.upstream.plan(quantity, slow(30));
  const victim = random.below(servers.length);
  const step = random.pick(steps);
  const target = random.pick(sequence);
  // A moment that does not come in this round must not kill the process that takes its place.
  const chosen = servers[victim];
  const kill = () => chosen?.kill();
  const planned = at(site.upstream, random, { quantity: target.quantity, step, books: true, reads: 3, action: kill });
  const trial = await saveDraft(rig, observer, legs, `${servers.length} processes, one killed when ${step}`);
  const attempt = beginAttempt(trial, 1, legs);
  const calls = servers.map((server) => submit(trial, attempt, server));
  planned.begin();
  await Promise.race([whenSubmitted(trial), Promise.all(calls)]);
  await endAttempt(trial, attempt, observer);
  kill();
  await Promise.all(calls);
  // An attempt that ended and sent nothing can be begun again by a process whose call arrives later.
  await endAttempt(trial, attempt, observer);
  await servers[victim]?.ended;
  servers[victim] = await rig.server();
  count(rig.line, `(${servers.length} processes, one killed)`);
  await finishDraft(trial);
};

async function run(bench: Bench, round: Round): Promise<void> {
  for (let size = bench.random.below(sizes.length); !isDone(bench); size++) {
    const number = sizes[size % (bench.short ? 2 : sizes.length)] ?? 2;
    const rig = await openRig(bench.program, bench.site, bench.line, { lookAtLeg });
    try {
      const servers = await Promise.all(Array.from({ length: number }, () => rig.server()));
      const observer = await rig.server();
      for (let rounds = 0; rounds < roundsPerRig && !isDone(bench); rounds++)
        await round(bench, rig, servers, observer, rounds);
    } finally {
      await rig.dispose();
    }
  }
}

const scenario = createScenarios(run);

export const submissionRaces = scenario('draft: submitted by many at once', 90, 3, race);
export const submissionKilledRaces = scenario('draft: killed in a race', 60, 2, killedRace);
