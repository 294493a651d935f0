/** What a fresh program makes of a store that a killed one left, within the time that anything may hold it up. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { liftHalt, readHalt } from '../../src/core/orders/halt/trading-state.ts';
import { passphrase } from '../security/support.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { makeStateFolder } from '../support/state-folder.ts';
import { type Snapshot, sentQuantities } from './build-store.ts';
import type { Outcome } from './outcome.ts';
import { buy, openProgram, type Program, startService, ticker } from './program.ts';

const minuteMs = 60_000;
/** The numbers of shares of the orders that the fresh program places. */
const fresh = { halted: 51, order: 52, legs: [53, 54], filled: 55 } as const;

export async function goOn(snapshot: Snapshot, change: (file: string) => void = () => undefined): Promise<Outcome> {
  const folder = await makeStateFolder('brokerage-mcp-times-open-');
  cpSync(snapshot.folder, folder, { recursive: true });
  change(join(folder, 'store.sqlite'));
  const clock = createManualClock({ startAt: snapshot.at + 1_000, auto: true });
  const { port, account } = snapshot;
  const persistence = { load: () => account, save: () => undefined };
  const simulator = await startService({ clock, port, persistence });
  const program = openProgram(folder, simulator.origin, clock, 'after');
  try {
    const halt = await meetHalt(program);
    const approvals = await approveWaiting(program);
    await program.settle();
    // Whatever holds the program up is seen now, and over before the orders that follow.
    await program.call('get_account_summary');
    await program.call('preview_order', { ...buy(fresh.order), type: 'LIMIT' });
    await live(program, clock, 11);
    const order = await placeNew(program, clock);
    await live(program, clock, 16);
    const draft = await sendNew(program, clock);
    const { plans, planned } = await plan(program, clock);
    await program.call('place_market_order', { ticker, side: 'BUY', quantity: fresh.filled });
    await program.approve(fresh.filled);
    await program.settle();
    await clock.advance(2 * minuteMs);
    const history = await read(program);
    const terminal = (await program.app.security.check(passphrase, 'terminal', 0)).kind;
    const sent = sentQuantities(simulator).toSorted((a, b) => a - b);
    return { halt, approvals, order, draft, plans, planned, history, terminal, sent };
  } finally {
    await program.app.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Time passes while the background work goes on. */
async function live(program: Program, clock: ManualClock, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await clock.advance(minuteMs);
    await program.settle(minute < 2 ? 60 : 1);
  }
}

/** A halt holds whatever its time, and the owner lifts it. */
async function meetHalt(program: Program): Promise<string> {
  const halt = await program.app.journal.read(readHalt);
  if (!halt) return 'none';
  const { rule } = await program.call('place_limit_order', buy(fresh.halted));
  await program.app.journal.change(liftHalt);
  return `${rule}`;
}

async function approveWaiting(program: Program): Promise<string[]> {
  const orders = (await program.intents()).filter(({ state }) => state === 'AWAITING_APPROVAL');
  const drafts = await program.app.services.drafts.store.read((tx) =>
    tx.listSubmissions({ states: ['awaiting_approval'] }),
  );
  const kinds: string[] = [];
  for (const { request } of orders) kinds.push(await program.approve(Number(request.quantity)));
  for (const { draftId } of drafts) kinds.push(await program.approveDraft(draftId));
  return kinds;
}

/** Calls a tool, and once more after the time that its error names: at most the period of a limit. */
async function callTwice(program: Program, clock: ManualClock, name: string, args: object) {
  const said = await program.call(name, args);
  if (said.code !== 'rate_limited' || !(said.retryAfterSeconds <= 60)) return said;
  await clock.advance(said.retryAfterSeconds * 1_000);
  return program.call(name, args);
}

async function placeNew(program: Program, clock: ManualClock): Promise<string> {
  const said = await callTwice(program, clock, 'place_limit_order', buy(fresh.order));
  if (said.outcome !== 'pending_approval') return said.rule ?? said.outcome ?? JSON.stringify(said);
  const decision = await program.approve(fresh.order);
  await program.settle();
  const { intentId } = said;
  const { outcome } = await program.call('get_order', { intentId });
  return decision === 'approved' ? outcome : decision;
}

async function sendNew(program: Program, clock: ManualClock): Promise<string> {
  const legs = fresh.legs.map((quantity) => ({ type: 'LIMIT', ...buy(quantity) }));
  const { draftId } = await program.call('save_draft', { legs });
  const said = await callTwice(program, clock, 'submit_draft', { draftId, version: 1 });
  if (said.outcome !== 'pending_approval') return said.rule ?? said.outcome ?? JSON.stringify(said);
  const decision = await program.approveDraft(draftId);
  await program.settle();
  const { submission } = await program.call('list_drafts', { draftId });
  return decision === 'approved' ? submission.outcome : decision;
}

/** Makes the drafts of the plan, twice, as the background work does. A store without a plan gets one. */
async function plan({ app }: Program, clock: ManualClock): Promise<Pick<Outcome, 'planned' | 'plans'>> {
  const { recurringPlans, drafts } = app.services;
  if ((await recurringPlans.list()).length === 0)
    await recurringPlans.add({
      name: 'savings',
      schedule: { every: 'month', day: 15 },
      question: { goal: 'invest', amount: '100' },
    });
  await recurringPlans.draftDue();
  // After the pause that follows a problem that can pass.
  await clock.advance(11 * minuteMs);
  await recurringPlans.draftDue();
  const [kept] = await recurringPlans.list();
  const [next] = await recurringPlans.readNextRuns(kept ? [kept] : []);
  const accountKey = await drafts.accountKey();
  const made = await drafts.store.read((tx) =>
    tx.listDrafts({ accountKey, environment: 'live', states: ['open', 'discarded', 'sent'] }),
  );
  const planned = made.filter(({ source }) => source === 'plan savings').length;
  return { planned, plans: next?.isDue === false && kept?.last?.draftId ? 'due' : JSON.stringify([kept?.last, next]) };
}

async function read(program: Program): Promise<string> {
  const said = await program.call('fetch_history', { kind: 'orders', limit: 50 });
  const summary = await program.call('get_account_summary');
  const quantities = JSON.stringify(said.rows ?? said);
  if (said.code || summary.code) return `${said.code ?? summary.code}`;
  return quantities.includes(`"${fresh.filled}"`) || quantities.includes(`${fresh.filled}`) ? 'read' : quantities;
}
