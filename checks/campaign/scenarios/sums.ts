/** The limits are sums over orders of every kind: not listed yet, rejected, reserved, or approved late. */
import { enrol } from '../approver.ts';
import { answerWith, asText } from '../faults/case.ts';
import { openRig, type Rig, type RigOptions } from '../harness.ts';
import { count, pause } from '../scenario-run.ts';
import type { Said, ServerProcess } from '../server-process.ts';
import { discard, whenItIsShown } from '../submission-person.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';
import type { Fault } from '../upstream.ts';

const rejected = answerWith('400', false, () => ({ status: 400 }));
const placed = answerWith('placed, not listed yet', true, (scene) => ({ status: 200, body: asText(scene) }));
const unlisted: Fault = { ...placed, isUnlisted: true };
const minuteMs = 60_000;

/** About 102,000 with its margin. */
const tenThousand = { side: 'BUY', limitPrice: 10, timeValidity: 'DAY' } as const;

interface Trial {
  readonly bench: Bench;
  readonly rig: Rig;
  readonly name: string;
}

/** Slightly more than ten thousand shares, a number that no other order has. */
const newAmount = ({ bench }: Trial): string => String(10_000 + Number(bench.site.newQuantity()));

const buy = (server: ServerProcess, ticker: string, quantity: string): Promise<Said> =>
  server.call('place_limit_order', { ...tenThousand, ticker, quantity }).said;

function expectSaid({ rig, name }: Trial, { outcome, body }: Said, expected: string, rule?: string): void {
  count(rig.line, outcome);
  if (outcome !== expected || (rule !== undefined && body.rule !== rule))
    rig.line.violations.push(`I5: said ${outcome} ${String(body.rule)} instead of ${expected} ${rule ?? ''} [${name}]`);
}

/** The service lists an order late; until then it counts as pending, also in a process that reads the list afterwards. */
async function unlistedOrders(trial: Trial): Promise<void> {
  const { rig } = trial;
  const [first, other] = await Promise.all([rig.server(), rig.server()]);
  for (const expected of ['placed', 'placed', 'refused']) {
    const quantity = newAmount(trial);
    rig.site.upstream.plan(quantity, unlisted);
    const said = await buy(expected === 'placed' ? first : other, 'BRAVO_US_EQ', quantity);
    expectSaid(trial, said, expected, expected === 'refused' ? 'pending_orders' : undefined);
  }
}

/** The service shows the cash that an order takes late; until then it is gone. Two of these need more than there is. */
async function cashShownLate(trial: Trial): Promise<void> {
  const { rig, bench } = trial;
  const [first, other] = await Promise.all([rig.server(), rig.server()]);
  const newMost = () => String(30_000_000 + Number(bench.site.newQuantity()));
  expectSaid(trial, await buy(first, 'BRAVO_US_EQ', newMost()), 'placed');
  expectSaid(trial, await buy(other, 'CARGO_US_EQ', newMost()), 'refused', 'cash');
}

/** What the service rejects was sent, so it counts. */
async function rejectedOrders(trial: Trial): Promise<void> {
  const { rig } = trial;
  const before = await rig.journal.read((tx) => tx.list({ states: ['PLACED'] }));
  const inHour = before.filter(({ sentAt = 0 }) => sentAt > Date.now() - 60 * minuteMs).length;
  const server = await rig.server({ env: { ...rig.env, BROKER_ORDERS_PER_HOUR: String(inHour + 2) } });
  for (const expected of ['rejected', 'rejected', 'refused']) {
    const quantity = newAmount(trial);
    rig.site.upstream.plan(quantity, rejected);
    const said = await buy(server, 'BRAVO_US_EQ', quantity);
    expectSaid(trial, said, expected, expected === 'refused' ? 'orders_per_hour' : undefined);
  }
}

/** A draft that waits for a person has its part of the day. */
async function reservedLegs(trial: Trial): Promise<void> {
  const { rig } = trial;
  await enrol(rig, 'terminal');
  const server = await rig.server();
  const legs = [{ ...tenThousand, type: 'LIMIT', ticker: 'BRAVO_US_EQ', quantity: newAmount(trial) }];
  const draftId = String((await server.call('save_draft', { legs }).said).body.draftId);
  const submitted = server.call('submit_draft', { draftId, version: 1 });
  if (!(await whenItIsShown(rig, draftId))) rig.line.violations.push(`the draft was never shown [${trial.name}]`);
  const order = server.call('place_limit_order', {
    ...{ ...tenThousand, ticker: 'CARGO_US_EQ' },
    quantity: newAmount(trial),
  });
  const waits = pause(longestDecisionMs).then((): Said => ({ outcome: 'pending_approval', body: {} }));
  expectSaid(trial, await Promise.race([order.said, waits]), 'refused', 'max_day_value');
  order.cancel();
  await discard(rig, draftId);
  await submitted.said;
}

/** An order that is not refused waits longer than this for its approval. */
const longestDecisionMs = 4_000;

/** The order as it would be if a person had approved it two minutes after the call, and that many minutes ago. */
async function age({ rig }: Trial, quantity: string, minutes: number): Promise<void> {
  const sentAt = Date.now() - minutes * minuteMs;
  const [intent] = await rig.intents(quantity);
  if (!intent) return;
  const change = { state: intent.state, createdAt: sentAt - 2 * minuteMs, sentAt, changedAt: sentAt };
  await rig.journal.change((tx) => tx.move(intent.id, intent.state, change));
}

/** The day of an order begins when it is sent. */
async function approvedADayAgo(trial: Trial): Promise<void> {
  const { rig } = trial;
  const server = await rig.server();
  const quantity = newAmount(trial);
  expectSaid(trial, await buy(server, 'BRAVO_US_EQ', quantity), 'placed');
  await age(trial, quantity, 24 * 60 - 1);
  expectSaid(trial, await buy(server, 'CARGO_US_EQ', newAmount(trial)), 'refused', 'max_day_value');
}

/** The ten minutes in which an equal call is the same order begin when it is sent. */
async function approvedTenMinutesAgo(trial: Trial): Promise<void> {
  const { rig } = trial;
  const server = await rig.server();
  const quantity = newAmount(trial);
  expectSaid(trial, await buy(server, 'BRAVO_US_EQ', quantity), 'placed');
  await age(trial, quantity, 9);
  rig.site.upstream.retire();
  await buy(server, 'BRAVO_US_EQ', quantity);
  const booked = rig.site.upstream.booked(quantity).length;
  if (booked !== 1)
    rig.line.violations.push(`I1: an order and the same call again were booked ${booked} times [${trial.name}]`);
}

const oneOfTwo = { BROKER_MAX_DAY_VALUE: '150000' };

const ways: readonly { readonly run: (trial: Trial) => Promise<void>; readonly options?: RigOptions }[] = [
  { run: unlistedOrders, options: { env: { BROKER_MAX_PENDING_PER_TICKER: '2' } } },
  {
    run: cashShownLate,
    options: { env: { BROKER_MAX_ORDER_VALUE: '1000000000', BROKER_MAX_ORDER_QUANTITY: '1000000000' } },
  },
  { run: rejectedOrders },
  { run: reservedLegs, options: { approval: 'terminal', env: oneOfTwo } },
  { run: approvedADayAgo, options: { env: oneOfTwo } },
  { run: approvedTenMinutesAgo },
];

/** Each way in turn. */
export const limitSums: Scenario = {
  name: 'sums of limits',
  weight: 12,
  short: ways.length,
  most: 60,
  run: async (bench) => {
    for (let next = 0; !isDone(bench); next++) {
      const { run, options } = ways[next % ways.length] as (typeof ways)[number];
      const rig = await openRig(bench.program, bench.site, bench.line, options);
      try {
        await run({ bench, rig, name: run.name });
        bench.line.violations.push(...rig.takeViolations());
        bench.line.trials++;
      } finally {
        bench.site.upstream.retire();
        await rig.dispose();
      }
    }
  },
};
