/**
 * Two accounts of one person in each of four processes that share a store: the same order in both, different ones, a
 * process that is killed, approvals, limits and a halt. Each account has its own orders and its own limits.
 */

import { approveInTerminal, enrol, refusesApprovalOf } from '../approver.ts';
import { failure, lostAnswer, slowAnswer } from '../faults/booked.ts';
import { accountNames, type Site } from '../fixture.ts';
import { openRig, type Rig, type RigOptions } from '../harness.ts';
import { anyOrder, type PlaceCall } from '../orders.ts';
import { closeByHand, count, finishTrials, pause } from '../scenario-run.ts';
import { at, steps } from '../scenario-steps.ts';
import type { Call, Said, ServerProcess } from '../server-process.ts';
import { halt } from '../submission-person.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const processes = 4;
type Account = (typeof accountNames)[number];

interface Trial {
  readonly bench: Bench;
  readonly rig: Rig;
  readonly servers: ServerProcess[];
  readonly observer: ServerProcess;
}

const place = (server: ServerProcess | undefined, order: PlaceCall, account: Account): Call => {
  if (!server) throw new Error('there is no such process');
  return server.call(order.tool, { ...order.args, account });
};

/** How often the order was booked in each account, which must be as often as wanted. */
function expectBooked({ rig }: Trial, quantity: string, wanted: Readonly<Record<Account, number>>, name: string): void {
  const { upstream } = rig.site;
  for (const account of accountNames) {
    const booked = upstream.booked(quantity, account).length;
    if (booked !== wanted[account])
      rig.line.violations.push(`I9: booked ${booked} times in ${account} instead of ${wanted[account]} [${name}]`);
  }
}

/** An order of one account may reach no other one. */
function expectOnlyIn({ rig }: Trial, quantity: string, account: Account, name: string): void {
  for (const post of rig.site.upstream.posts)
    if (post.quantity === quantity && post.account !== account)
      rig.line.violations.push(`I9: an order for ${account} left for ${post.account} [${name}]`);
}

/** Equal orders in both accounts are two orders, however many processes ask for each. */
async function sameInBoth(trial: Trial): Promise<void> {
  const { bench, rig, servers, observer } = trial;
  const { random } = bench;
  const order = anyOrder(random, rig.site.newQuantity());
  const { quantity } = order;
  const faults = accountNames.map(() =>
    random.pick([slowAnswer(0), slowAnswer(40), slowAnswer(90), lostAnswer, failure]),
  );
  rig.site.upstream.plan(quantity, ...faults);
  const said = await Promise.all(
    servers.map(async (server, index) => {
      await pause(random.next() * random.pick([0, 0, 60]));
      return place(server, order, accountNames[index % 2] as Account).said;
    }),
  );
  const name = `same in both, ${faults.map((fault) => fault.name).join(' and ')}`;
  expectBooked(trial, quantity, { invest: 1, isa: 1 }, name);
  await finishTrials(rig, [{ quantity, said, observer, expected: ['placed', 'unknown'], name }]);
}

async function differentOrders(trial: Trial): Promise<void> {
  const { bench, rig, servers, observer } = trial;
  const { random } = bench;
  const name = 'different orders';
  const asked = servers.map((server) => {
    const order = anyOrder(random, rig.site.newQuantity());
    rig.site.upstream.plan(order.quantity, slowAnswer(random.pick([0, 10, 40, 90])));
    const account = random.pick(accountNames);
    return { quantity: order.quantity, account, call: place(server, order, account) };
  });
  const said = await Promise.all(asked.map(({ call }) => call.said));
  for (const { quantity, account } of asked) expectOnlyIn(trial, quantity, account, name);
  await finishTrials(
    rig,
    asked.map(({ quantity }, index) => ({
      ...{ quantity, observer, name, expected: ['placed'] },
      said: said.slice(index, index + 1),
    })),
  );
}

/** One of the processes is killed in a moment of its own order, while it serves the other account too. */
async function killedProcess(trial: Trial): Promise<void> {
  const { bench, rig, servers, observer } = trial;
  const { random } = bench;
  const victim = random.below(servers.length);
  const step = random.pick(steps);
  const name = `one killed when ${step}`;
  const chosen = servers[victim];
  const kill = () => chosen?.kill();
  const wanted = [...servers, chosen].map((server, index) => ({
    ...{ server, account: accountNames[index % 2] as Account },
    order: anyOrder(random, rig.site.newQuantity()),
  }));
  for (const { order } of wanted) rig.site.upstream.plan(order.quantity, slowAnswer(30));
  const { quantity = '' } = wanted[victim]?.order ?? {};
  const planned = at(rig.site.upstream, random, { quantity, step, books: true, reads: 0, action: kill });
  const calls = wanted.map(({ server, order, account }) => place(server, order, account).said);
  planned.begin();
  const said = await Promise.race([Promise.all(calls), pause(4_000).then(() => undefined)]);
  kill();
  await chosen?.ended;
  servers[victim] = await rig.server();
  count(rig.line, '(killed)');
  for (const { order, account } of wanted) expectOnlyIn(trial, order.quantity, account, name);
  await finishTrials(
    rig,
    wanted.map(({ order }, index) => ({
      ...{ quantity: order.quantity, observer, name, settleMs: 2_000 },
      said: [said?.[index] ?? { outcome: 'left', body: {} }],
    })),
  );
  await Promise.all(calls);
}

/** A person approves the order of one account; the equal one of the other account still waits, whatever it is shown. */
async function oneApproval(trial: Trial, isKilled: boolean): Promise<void> {
  const { bench, rig, servers, observer } = trial;
  const { random } = bench;
  const order = anyOrder(random, rig.site.newQuantity());
  const { quantity } = order;
  const calls = accountNames.map((account, index) => place(servers[index], order, account));
  const waiting = await whenBothWait(rig, quantity);
  const chosen = random.pick(accountNames);
  const [approved, other] = [true, false].map((isChosen) =>
    waiting.find(({ accountName }) => (accountName === chosen) === isChosen),
  );
  if (!approved || !other)
    return void rig.line.violations.push(`the orders did not wait for an approval [${quantity}]`);
  if (!(await refusesApprovalOf(rig, other, approved)))
    rig.line.violations.push('I3: the approval of one account was taken for the other');
  const asker = accountNames.indexOf(chosen);
  if (isKilled) await killAndReplace(trial, asker);
  await approveInTerminal(rig, approved);
  const name = `approved in ${chosen} alone${isKilled ? ', after the process that asked was killed' : ''}`;
  const said = isKilled ? await whenBooked(trial, quantity) : await calls[asker]?.said;
  expectBooked(trial, quantity, { invest: 0, isa: 0, [chosen]: 1 }, name);
  for (const call of calls) call.cancel();
  await closeByHand(rig, quantity);
  const expected = isKilled ? undefined : ['placed'];
  await finishTrials(rig, [{ quantity, said: said ? [said] : [], observer, expected, name }]);
}

async function killAndReplace({ rig, servers }: Trial, index: number): Promise<void> {
  const victim = servers[index];
  victim?.kill();
  await victim?.ended;
  count(rig.line, '(killed)');
  servers[index] = await rig.server();
}

/** Another process sends an approved order for the one that asked and is gone. */
async function whenBooked({ rig }: Trial, quantity: string): Promise<Said> {
  const until = Date.now() + longestWaitMs;
  const isBooked = () => accountNames.some((account) => rig.site.upstream.booked(quantity, account).length > 0);
  while (!isBooked() && Date.now() < until) await pause(15);
  return { outcome: 'left', body: {} };
}

/** Two processes read the account first, which takes long on a busy machine. */
const longestWaitMs = 30_000;

async function whenBothWait(rig: Rig, quantity: string) {
  const until = Date.now() + longestWaitMs;
  for (;;) {
    const waiting = (await rig.intents(quantity)).filter(({ state }) => state === 'AWAITING_APPROVAL');
    if (waiting.length === accountNames.length || Date.now() > until) return waiting;
    await pause(15);
  }
}

const perHour = 3;

/** The limit of each account is its own: both reach it, and none gets past it. */
async function limitOfEach(trial: Trial): Promise<void> {
  const { bench, rig, servers } = trial;
  const { random } = bench;
  const name = 'limits of each';
  const asked = servers.flatMap((server) =>
    accountNames.map((account) => {
      const order = anyOrder(random, rig.site.newQuantity());
      return { account, order, call: place(server, order, account) };
    }),
  );
  const said = await Promise.all(asked.map(({ call }) => call.said));
  for (const account of accountNames) {
    const booked = asked.filter(({ order }) => rig.site.upstream.booked(order.quantity, account).length > 0).length;
    if (booked !== perHour)
      rig.line.violations.push(`I5: ${booked} orders in ${account}, of which the limit allows ${perHour} [${name}]`);
  }
  for (const { order, account } of asked) expectOnlyIn(trial, order.quantity, account, name);
  endRound(trial, said, ['placed', 'refused'], name);
}

/** A halt is of all accounts: what is asked for after it leaves for none. */
async function haltOfBoth(trial: Trial): Promise<void> {
  const { bench, rig, servers } = trial;
  const { random } = bench;
  const name = 'halted';
  const ask = () =>
    servers.map((server, index) => {
      const order = anyOrder(random, rig.site.newQuantity());
      rig.site.upstream.plan(order.quantity, slowAnswer(random.pick([0, 30])));
      return { order, call: place(server, order, accountNames[index % 2] as Account) };
    });
  const before = ask();
  await pause(random.next() * 200);
  await halt(rig);
  for (const account of accountNames) rig.recordingOf(account).note({ kind: 'stop' });
  const after = ask();
  const said = await Promise.all([...before, ...after].map(({ call }) => call.said));
  for (const { order } of after) expectBooked(trial, order.quantity, { invest: 0, isa: 0 }, name);
  endRound(trial, said, ['placed', 'refused'], name);
}

function endRound({ rig }: Trial, said: readonly Said[], expected: readonly string[], name: string): void {
  const { line, site } = rig;
  for (const { outcome, body } of said) {
    line.trials++;
    count(line, outcome);
    if (!expected.includes(outcome)) line.violations.push(`said ${outcome}: ${String(body.message)} [${name}]`);
  }
  line.violations.push(...rig.takeViolations(), ...site.upstream.takeOverlaps().map((pair) => `I2: ${pair}`));
  site.upstream.retire();
}

interface Way {
  readonly run: (trial: Trial) => Promise<void>;
  readonly rounds: number;
  readonly options?: RigOptions;
}

/** The orders with which the store was made count in their hour. */
const ofWarmUp = 4;
const ways: readonly Way[] = [
  { run: (trial) => oneApproval(trial, false), rounds: 1, options: { approval: 'terminal' } },
  // Which of the other processes sends the order, and which account it serves first, is chance: several rounds find it.
  { run: (trial) => oneApproval(trial, true), rounds: 6, options: { approval: 'terminal' } },
  { run: sameInBoth, rounds: 2 },
  { run: limitOfEach, rounds: 1, options: { env: { BROKER_ORDERS_PER_HOUR: String(ofWarmUp + perHour) } } },
  { run: haltOfBoth, rounds: 1 },
  { run: differentOrders, rounds: 2 },
  { run: killedProcess, rounds: 2 },
];

async function runWay(bench: Bench, site: Site, { run, rounds, options }: Way): Promise<void> {
  const rig = await openRig(bench.program, site, bench.line, options);
  try {
    if (options?.approval) await enrol(rig, 'terminal');
    const servers = await Promise.all(Array.from({ length: processes }, () => rig.server()));
    const observer = await rig.server();
    for (let round = 0; round < rounds && !isDone(bench); round++) await run({ bench, rig, servers, observer });
  } finally {
    await rig.dispose();
  }
}

export const twoAccounts: Scenario = {
  name: 'two accounts in one process',
  weight: 80,
  short: 24,
  run: async (bench) => {
    const site = await bench.newSite({ hasTwoAccounts: true });
    try {
      for (let next = 0; !isDone(bench); next++) await runWay(bench, site, ways[next % ways.length] as Way);
    } finally {
      await site.close();
    }
  },
};
