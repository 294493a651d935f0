/** The end of every trial: wait until all is quiet, ask another process, judge, count, and clean up for the next. */
import { unknownStates } from '../../src/core/orders/intent/states.ts';
import type { Rig } from './harness.ts';
import { checkTrial } from './invariants.ts';
import type { Line } from './results.ts';
import type { Said, ServerProcess } from './server-process.ts';

export interface Finished {
  readonly quantity: string;
  readonly said: readonly Said[];
  /** Another process than the one that placed the order. */
  readonly observer: ServerProcess;
  readonly expected?: readonly string[] | undefined;
  /** The result of the same call when a host repeated it. */
  readonly again?: readonly Said[] | undefined;
  /** Of the fault, for the report. */
  readonly name?: string | undefined;
  /** The most time for which a cancelled call continues after its caller has gone. */
  readonly settleMs?: number | undefined;
}

/** The second round of the search comes five seconds after the loss. */
const longestSearchMs = 12_000;
const hastySearchMs = 1_000;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const finishTrial = (rig: Rig, trial: Finished): Promise<void> => finishTrials(rig, [trial]);

/** For trials that ran at the same time. */
export async function finishTrials(rig: Rig, trials: readonly Finished[]): Promise<void> {
  const { upstream } = rig.site;
  for (const { quantity, settleMs } of trials) await settled(rig, quantity, settleMs ?? 0);
  await upstream.idle();
  for (const trial of trials) await judgeTrial(rig, trial);
  for (const { quantity } of trials) await closeByHand(rig, quantity);
  upstream.retire();
}

async function judgeTrial(rig: Rig, trial: Finished): Promise<void> {
  const { quantity, said, observer } = trial;
  const { upstream } = rig.site;
  const booked = upstream.booked(quantity);
  const later: Said[] = [...(trial.again ?? [])];
  for (const { id, accountName } of await rig.intents(quantity)) {
    rig.recordingOf(accountName).names(id, quantity);
    later.push(
      await askLater(
        observer,
        { intentId: id, ...(accountName === undefined ? {} : { account: accountName }) },
        upstream.booked(quantity, accountName).length > 0,
        (rig.line.isHasty ? hastySearchMs : longestSearchMs) + rig.site.noticedWithinMs,
      ),
    );
  }
  const intents = await rig.intents(quantity);
  const violations = [
    ...rig.takeViolations(),
    ...upstream.takeOverlaps().map((pair) => `I2: in flight at once: ${pair}`),
    ...checkTrial({ booked, said, later, expected: trial.expected }),
  ];
  const states = intents.map(({ state }) => state).join(', ');
  for (const violation of violations)
    rig.line.violations.push(
      `${violation} [${trial.name ?? 'trial'}, quantity ${quantity}, journal ${states || 'empty'}]`,
    );
  countAll(rig.line, said);
}

export function countAll(line: Line, said: readonly Said[]): void {
  for (const { outcome } of said) {
    line.trials++;
    count(line, outcome);
  }
}

export const count = (line: Line, what: string, times = 1): void =>
  void line.outcomes.set(what, (line.outcomes.get(what) ?? 0) + times);

const moving = new Set<string>(['DRAFT', 'APPROVED', 'SENDING']);

async function settled(rig: Rig, quantity: string, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && (await rig.intents(quantity)).some(({ state }) => moving.has(state))) await pause(20);
}

/** A booked order has to be found; for one that is not booked, one search is enough. */
async function askLater(observer: ServerProcess, args: object, isBooked: boolean, forMs: number): Promise<Said> {
  const until = Date.now() + forMs;
  for (;;) {
    const said = await observer.call('get_order', args).said;
    if (!isBooked || said.outcome !== 'unknown' || Date.now() > until) return said;
    await pause(150);
  }
}

/**
 * Acts as a person who has checked in the broker's own application; otherwise two unknown orders would stop the rest.
 */
export async function closeByHand(rig: Rig, quantity: string): Promise<void> {
  const left = new Set<string>([...unknownStates, 'SENDING', 'APPROVED', 'AWAITING_APPROVAL', 'NOT_SENT']);
  for (let attempt = 0; attempt < 5; attempt++) {
    const open = (await rig.intents(quantity)).filter(({ state }) => left.has(state));
    if (open.length === 0) return;
    for (const { id, state } of open)
      await rig.journal.change((tx) => tx.move(id, state, { state: 'CLOSED', reason: 'Closed by the campaign.' }));
  }
}
