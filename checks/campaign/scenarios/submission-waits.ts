/** Buys that wait for the fills of the sells, and drafts that no process may carry on: both take seconds. */
import { price } from '../account.ts';
import type { Site } from '../fixture.ts';
import { openRig } from '../harness.ts';
import { type CampaignLeg, inSendingOrder, makeLegs } from '../planned-legs.ts';
import { count, pause } from '../scenario-run.ts';
import { beginAttempt, endAttempt, finishDraft, lookAtLeg, saveDraft, submit, whenLegIs } from '../submission-trial.ts';
import type { Bench, Scenario } from '../trial-environment.ts';
import { runInLanes } from '../trial-lanes.ts';

const worth = (legs: readonly CampaignLeg[]) => legs.reduce((sum, { quantity }) => sum + Number(quantity) * price, 0);

/** The cash is half of what the smaller buy needs; the sells bring the rest once they are filled. */
function showPoorAccount({ upstream }: Site, legs: readonly CampaignLeg[], fills: ReadonlyMap<string, number>): void {
  const buys = legs.filter(({ side }) => side === 'BUY');
  const atStart = Math.min(...buys.map((buy) => worth([buy]))) / 2;
  upstream.cash = () => {
    const sold = legs.filter(({ quantity }) => fills.has(quantity));
    const bought = buys.filter(({ quantity }) => upstream.booked(quantity).length > 0);
    return atStart + worth(sold) - worth(bought);
  };
}

const longestFillMs = 3_000;
/** Longer than the pause between two reads of the pending orders. */
const longestPollMs = 6_000;

async function fillTrial(bench: Bench, site: Site, index: number): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  const fills = new Map<string, number>();
  try {
    const isKilled = index % 3 > 0;
    // Only a limit or a market order brings proceeds that a draft may count on.
    const legs = makeLegs(site, random, { sells: 2, buys: 2 }).map(({ ticker, side, quantity }) => ({
      ...{ ticker, side, quantity },
      ...{ type: 'LIMIT', limitPrice: price, timeValidity: 'DAY' },
    }));
    const sells = legs.filter(({ side }) => side === 'SELL');
    showPoorAccount(site, legs, fills);
    const [sender, other] = await Promise.all([rig.server(), rig.server()]);
    const trial = await saveDraft(rig, sender, legs, isKilled ? 'killed while it waits for fills' : 'waits for fills');
    trial.fills = fills;
    const attempt = beginAttempt(trial, 1, legs);
    attempt.expected = ['done'];
    const called = submit(trial, attempt, sender);
    for (const sell of sells) await whenLegIs(trial, sell, ['PLACED']);
    if (isKilled) await pause(random.next() * longestFillMs);
    if (isKilled) sender.kill();
    await pause(random.next() * longestFillMs);
    for (const { quantity } of sells) {
      if (fills.size > 0) await pause(bench.short ? longestPollMs : random.next() * longestPollMs);
      fills.set(quantity, Date.now());
      site.upstream.fill(quantity);
    }
    await endAttempt(trial, attempt, other);
    await called;
    count(line, isKilled ? '(killed while waiting for fills)' : '(waited for fills)');
    await finishDraft(trial);
  } finally {
    site.upstream.cash = undefined;
    await rig.dispose();
  }
}

/** Longer than an idle process takes to look for work. */
const longestIdleMs = 6_500;

async function readOnlyTrial(bench: Bench, site: Site): Promise<void> {
  const { random, line } = bench;
  const rig = await openRig(bench.program, site, line, { lookAtLeg });
  try {
    const legs = makeLegs(site, random, { sells: 1, buys: 2 });
    const sequence = inSendingOrder(legs);
    const readOnly = { env: { ...rig.env, BROKER_READ_ONLY: 'true' } };
    const [sender, ...readers] = await Promise.all([rig.server(), rig.server(readOnly), rig.server(readOnly)]);
    const trial = await saveDraft(rig, sender, legs, 'only read-only processes are left');
    const attempt = beginAttempt(trial, 1, legs);
    const called = submit(trial, attempt, sender);
    await whenLegIs(trial, sequence[random.below(2)] as CampaignLeg, ['PLACED']);
    sender.kill();
    await called;
    await site.upstream.idle();
    const before = site.upstream.posts.length;
    const { draftId } = trial;
    for (const reader of readers) {
      const { outcome } = await reader.call('submit_draft', { draftId, version: 1 }).said;
      if (outcome !== 'error:protocol') line.violations.push(`read-only: submit_draft came to ${outcome}`);
      await reader.call('list_drafts', { draftId }).said;
    }
    await pause(longestIdleMs + site.noticedWithinMs);
    const sent = site.upstream.posts.length - before;
    if (sent > 0) line.violations.push(`read-only: ${sent} legs left although no process may trade`);
    await endAttempt(trial, attempt, await rig.server());
    count(line, '(read-only)');
    await finishDraft(trial);
  } finally {
    await rig.dispose();
  }
}

export const submissionFills: Scenario = {
  name: 'draft: buys that wait for fills',
  weight: 45,
  short: 1,
  waits: true,
  run: (bench) => runInLanes(bench, bench.short ? 1 : 0, fillTrial),
};

export const submissionReadOnly: Scenario = {
  name: 'draft: only read-only processes are left',
  weight: 15,
  short: 1,
  waits: true,
  run: (bench) => runInLanes(bench, 0, readOnlyTrial),
};
