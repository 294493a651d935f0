/** A draft that a person approves: by many processes, killed, stopped, and with an approval that ends between legs. */
import { enrol } from '../approver.ts';
import type { Site } from '../fixture.ts';
import { openRig } from '../harness.ts';
import { inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count, pause } from '../scenario-run.ts';
import type { ServerProcess } from '../server-process.ts';
import { ageApproval, approveDraft, discard, removeLeg, whenItIsShown } from '../submission-person.ts';
import {
  beginAttempt,
  type DraftTrial,
  endAttempt,
  finishDraft,
  lookAtLeg,
  type OpenAttempt,
  saveDraft,
  sendTheRest,
  submit,
  whenLegIs,
} from '../submission-trial.ts';
import type { Bench, Scenario } from '../trial-environment.ts';
import { runInLanes } from '../trial-lanes.ts';
import { slow } from './submission-races.ts';

const events = [
  'approved',
  'approved, ends between legs',
  'approved, ends between legs',
  'approved, submitter killed',
  'approved, sender killed',
  'edited while it waits',
  'discarded while it waits',
  'not approved',
] as const;
type Event = (typeof events)[number];

/** A call waits longer than this for a person who does not come. */
const longestPatienceMs = 1_500;

async function approvalTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  const event = events[index % events.length] as Event;
  const rig = await openRig(bench.program, site, line, { approval: 'terminal', lookAtLeg });
  try {
    await enrol(rig, 'terminal');
    const legs = makeLegs(site, random, { sells: 1 + random.below(2), buys: 2 });
    const answerMs = event === 'approved, ends between legs' ? 120 : 20;
    for (const { quantity } of inSendingOrder(legs)) site.upstream.plan(quantity, slow(answerMs));
    const servers = await Promise.all([rig.server(), rig.server()]);
    const trial = await saveDraft(rig, servers[1], legs, event);
    const attempt = beginAttempt(trial, 1, legs);
    const calls = servers.map((server) => submit(trial, attempt, server));
    await play(bench, trial, attempt, servers, event);
    const observer = await rig.server();
    await endWaiting(trial, attempt, event);
    await endAttempt(trial, attempt, observer);
    await Promise.all(calls);
    // What is left needs an approval of its own, which nobody gives.
    if (event === 'approved, ends between legs') await sendUnapproved(trial, attempt, observer);
    count(line, `(${event})`);
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

async function play(bench: Bench, trial: DraftTrial, attempt: OpenAttempt, servers: ServerProcess[], event: Event) {
  const { rig, draftId } = trial;
  const { random } = bench;
  const view = await whenItIsShown(rig, draftId);
  if (!view) return void rig.line.violations.push(`it was never shown to a person [${event}]`);
  const { submissionId } = view.ticket;
  if (event === 'not approved') return;
  if (event === 'discarded while it waits') await discard(rig, draftId);
  if (event === 'edited while it waits' && (await removeLeg(rig, draftId, 1, 1)))
    rig.line.violations.push('a draft was edited while it waited for approval');
  if (event === 'approved, submitter killed') servers[0]?.kill();
  const decisions = await Promise.all([approveDraft(rig, draftId, view), approveDraft(rig, draftId, view)]);
  const approvals = decisions.filter(({ kind }) => kind === 'approved').length;
  if (event === 'discarded while it waits') {
    if (approvals > 0) rig.line.violations.push('I3: a discarded draft could be approved');
    attempt.expected = ['declined'];
    return;
  }
  if (approvals !== 1) rig.line.violations.push(`I3: one draft was approved ${approvals} times [${event}]`);
  if (event === 'approved, ends between legs') {
    attempt.endsAt = await ageApproval(rig, submissionId, random.below(900));
    // It expires when the end comes before the first leg.
    attempt.expected = ['done', 'stopped', 'expired'];
  } else if (event === 'approved, sender killed') await killSender(trial, attempt, servers);
  else attempt.expected = ['done'];
}

async function killSender(trial: DraftTrial, { legs }: OpenAttempt, servers: ServerProcess[]): Promise<void> {
  const [, leg] = inSendingOrder(legs);
  const intent = leg && (await whenLegIs(trial, leg, ['SENDING', 'PLACED']));
  // The name of a process has its id.
  const owner = servers.find(({ pid }) => intent?.owner.split(':')[1] === String(pid));
  owner?.kill();
}

/** Nobody decides: nothing leaves, and it ends when it is discarded. */
async function endWaiting({ rig, draftId }: DraftTrial, attempt: OpenAttempt, event: Event): Promise<void> {
  if (event !== 'not approved') return;
  await pause(longestPatienceMs);
  await discard(rig, draftId);
  attempt.expected = ['declined'];
}

async function sendUnapproved(trial: DraftTrial, first: OpenAttempt, server: ServerProcess): Promise<void> {
  const { rig, draftId } = trial;
  const stopped = pause(longestPatienceMs).then(() => discard(rig, draftId));
  await sendTheRest(trial, first, [server], server);
  await stopped;
  const second = trial.attempts[1];
  if (second) second.expected = ['declined', 'none'];
}

export const submissionApprovals: Scenario = {
  name: 'draft: approved by a person',
  weight: 90,
  short: 3,
  run: (bench) => runInLanes(bench, bench.short ? 1 : 0, approvalTrial),
};
