/** A draft is discarded, trading is halted, or the draft is edited by another process while its legs leave. */
import { liftHalt } from '../../../src/core/orders/halt/trading-state.ts';
import type { Site } from '../fixture.ts';
import { openRig } from '../harness.ts';
import { type CampaignLeg, inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count, pause } from '../scenario-run.ts';
import type { ServerProcess } from '../server-process.ts';
import { discard, findLatestAttempt, halt, removeLeg } from '../submission-person.ts';
import {
  beginAttempt,
  type DraftTrial,
  endAttempt,
  finishDraft,
  lookAtLeg,
  noteStop,
  type OpenAttempt,
  saveDraft,
  submit,
  whenLegIs,
} from '../submission-trial.ts';
import type { Bench, Scenario } from '../trial-environment.ts';
import { runInLanes } from '../trial-lanes.ts';
import { slow } from './submission-races.ts';

const moments = ['taken', 'committed', 'taken', 'recorded', 'any time'] as const;
const stateOf = { taken: ['APPROVED', 'SENDING', 'PLACED'], committed: ['SENDING', 'PLACED'], recorded: ['PLACED'] };
const stops = ['discarded by a person', 'discarded by another process', 'discarded read-only', 'halted'] as const;
const longestDelayMs = 400;

/** Resolves at the moment of the leg. */
async function whenItIs(bench: Bench, trial: DraftTrial, moment: (typeof moments)[number], leg: CampaignLeg) {
  if (moment === 'any time') await pause(bench.random.next() * longestDelayMs);
  else await whenLegIs(trial, leg, stateOf[moment]);
}

/** Takes the turn of the account as a process of another machine would. The returned function gives it up. */
async function holdTurn({ rig: { drafts, journal }, draftId }: DraftTrial): Promise<() => Promise<void>> {
  const draft = await drafts.read((tx) => tx.findDraft(draftId));
  const name = `turn ${draft?.accountKey}`;
  await journal.change((tx) =>
    tx.set(name, { owner: 'elsewhere:1:0:0', intentId: 'campaign', until: Date.now() + 60_000 }),
  );
  return () => journal.change((tx) => tx.set(name, undefined));
}

async function stopTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  // A mutant makes its mistake itself; a person's stop is made here, without it.
  const how = line.isHasty ? 'discarded by another process' : (stops[index % stops.length] as (typeof stops)[number]);
  // The short form always stops it between the intent and the request, which is the most sensitive moment.
  const moment = bench.short ? 'taken' : (moments[index % moments.length] as (typeof moments)[number]);
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const legs = makeLegs(site, random, { sells: random.below(3), buys: 2 });
    const sequence = inSendingOrder(legs);
    for (const { quantity } of sequence) site.upstream.plan(quantity, slow(random.pick([0, 20, 60])));
    const readOnly = how === 'discarded read-only' ? { env: { ...rig.env, BROKER_READ_ONLY: 'true' } } : {};
    const [sender, other] = await Promise.all([rig.server(), rig.server(readOnly)]);
    const trial = await saveDraft(rig, sender, legs, `${how} when ${moment}`);
    const attempt = beginAttempt(trial, 1, legs);
    attempt.expected = ['stopped', 'done', 'none'];
    // The leg then waits between its intent and its commit, on a fast machine too.
    const release = line.isHasty ? await holdTurn(trial) : undefined;
    const called = submit(trial, attempt, sender);
    await whenItIs(bench, trial, moment, release ? (sequence[0] as CampaignLeg) : random.pick(sequence));
    if (how === 'halted') await halt(rig);
    else if (how === 'discarded by a person') await discard(rig, trial.draftId);
    else await other.call('discard_draft', { draftId: trial.draftId }).said;
    await noteStop(trial, attempt, how === 'halted');
    await release?.();
    await afterStop(bench, trial, attempt, sender, how);
    await called;
    count(line, `(${how})`);
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

/** The halt is lifted, the sender dies, the draft is submitted again: none of it sends a leg. */
async function afterStop(
  { random }: Bench,
  trial: DraftTrial,
  attempt: OpenAttempt,
  sender: ServerProcess,
  how: (typeof stops)[number],
): Promise<void> {
  const { rig, draftId } = trial;
  const wasHalted = how === 'halted';
  // On a slow machine the halt can come before the draft is sent; then a halt that was lifted stops nothing.
  const wasSending = (await findLatestAttempt(rig, draftId)) !== undefined;
  if (wasHalted && wasSending && random.below(2) === 0) {
    await rig.journal.change((tx) => liftHalt(tx));
    rig.recording.note({ kind: 'resume' });
  }
  if (random.below(3) === 0) sender.kill();
  const third = await rig.server();
  await endAttempt(trial, attempt, third);
  // After a halt the same version may be sent again when nothing of it left, which is no leg after a stop.
  if (!wasHalted) await submit(trial, attempt, third);
}

/** Somebody changes the draft right before, during or after its submission. */
async function editTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const legs = makeLegs(site, random, { sells: 1, buys: 2 });
    const sequence = inSendingOrder(legs);
    for (const { quantity } of sequence) site.upstream.plan(quantity, slow(random.pick([0, 20, 60])));
    const [sender, other] = await Promise.all([rig.server(), rig.server()]);
    const isByTool = random.below(2) === 0;
    const moment = (['before', 'at once', ...moments] as const)[index % (moments.length + 2)] ?? 'before';
    const trial = await saveDraft(rig, sender, legs, `edited by ${isByTool ? 'a tool' : 'a person'}, ${moment}`);
    const rest = legs.slice(1);
    const edit = async () => {
      const args = { draftId: trial.draftId, version: 1, legs: rest };
      const isSaved = isByTool
        ? (await other.call('save_draft', args).said).outcome === 'read'
        : await removeLeg(rig, trial.draftId, 1, 1);
      if (isSaved) trial.replaced.add(1);
    };
    const attempt = beginAttempt(trial, 1, legs);
    attempt.expected = ['done', 'none'];
    if (moment === 'before') await edit();
    const called = submit(trial, attempt, sender);
    if (moment === 'at once') await edit();
    else if (moment !== 'before') await whenItIs(bench, trial, moment, random.pick(sequence)).then(edit);
    await called;
    await endAttempt(trial, attempt, other);
    count(line, `(edit ${trial.replaced.has(1) ? 'saved' : 'refused'})`);
    if (trial.replaced.has(1)) await sendEdited(trial, rest, sender, other);
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

async function sendEdited(
  trial: DraftTrial,
  legs: readonly CampaignLeg[],
  sender: ServerProcess,
  other: ServerProcess,
) {
  const attempt = beginAttempt(trial, 2, legs);
  attempt.expected = ['done'];
  await submit(trial, attempt, sender);
  await endAttempt(trial, attempt, other);
}

export const submissionStops: Scenario = {
  name: 'draft: stopped between its legs',
  weight: 120,
  short: 4,
  run: (bench) => runInLanes(bench, bench.short ? 0 : bench.random.below(stops.length * moments.length), stopTrial),
};

export const submissionEdits: Scenario = {
  name: 'draft: edited while it is submitted',
  weight: 60,
  short: 2,
  run: (bench) => runInLanes(bench, 0, editTrial),
};
