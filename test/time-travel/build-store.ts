/**
 * A store with one of everything that has a time, made by the program itself. Before each request to the service the
 * store is looked at; when it has a kind of time that it did not have before, it is copied as a kill would leave it.
 */
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Clock } from '../../src/core/clock.ts';
import { liftHalt, readHalt } from '../../src/core/orders/halt/trading-state.ts';
import type { Simulator } from '../../src/simulator/index.ts';
import { enrol, passphrase, roomy } from '../security/support.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { openMarketsAt } from '../support/setup.ts';
import { makeStateFolder } from '../support/state-folder.ts';
import { findTimes, readTables, type StoredTime } from './find-times.ts';
import { buy, openProgram, type Program, startService, ticker } from './program.ts';

/** The store, and the account at the service, at one moment. */
export interface Snapshot {
  readonly folder: string;
  /** The time of the service's clock (ms). */
  readonly at: number;
  readonly account: string | undefined;
  readonly port: number;
  /** Orders that the service received until then, as numbers of shares. */
  readonly sent: readonly number[];
  /** The times that no snapshot before has. */
  readonly times: readonly StoredTime[];
}

/** Many orders must fit into the limits of a minute. */
const limits = { ...roomy, maxDayValue: '1000000', maxOrderValue: '5000' };

/** The numbers of shares of the orders that wait when the last snapshot is taken. */
export const waiting = { order: 31, legs: [41, 42] } as const;

export const sentQuantities = ({ log }: Simulator): number[] =>
  log
    .filter(({ method, path, body }) => method === 'POST' && path.includes('/orders/') && body !== '')
    .map(({ body }) => JSON.parse(body).quantity);

/** Builds it under a clock that is `aheadMs` ahead of the service's. */
export async function buildStore(aheadMs = 0): Promise<readonly Snapshot[]> {
  const clock = createManualClock({ startAt: openMarketsAt, auto: true });
  const folder = await makeStateFolder('brokerage-mcp-times-');
  const path = join(folder, 'store.sqlite');
  const copies = await makeStateFolder('brokerage-mcp-times-copies-');
  const snapshots: Snapshot[] = [];
  const seen = new Set<string>();
  let account: string | undefined;
  let isLooking = false;
  const look = (when: 'request' | 'saved' | 'step' | 'end') => {
    if (isLooking || !existsSync(path)) return;
    const tables = readTables(path);
    // A kill between the commit of an order and its arrival at the service leaves what only a person can decide.
    if (when === 'request' && tables.intents?.some(({ state }) => state === 'SENDING')) return;
    const times = findTimes(tables).filter(({ name }) => !seen.has(name));
    if (times.length === 0 && when !== 'end') return;
    isLooking = true;
    // Saves the account of the service, also after a request without a response.
    simulator.inject.setPrice(ticker, 12);
    isLooking = false;
    for (const { name } of times) seen.add(name);
    const copy = join(copies, String(snapshots.length));
    cpSync(folder, copy, { recursive: true, filter: (file) => !file.includes('store.sqlite') });
    const db = new DatabaseSync(path);
    db.exec(`VACUUM INTO '${join(copy, 'store.sqlite')}'`);
    db.close();
    const port = Number(new URL(simulator.origin).port);
    snapshots.push({ folder: copy, at: clock.now(), account, port, sent: sentQuantities(simulator), times });
  };
  let simulator = undefined as unknown as Simulator;
  simulator = await startService({
    clock,
    persistence: {
      load: () => undefined,
      save: (text) => {
        account = text;
        if (simulator) look('saved');
      },
    },
    onRequest: () => simulator && look('request'),
  });
  const ahead: Clock = { now: () => clock.now() + aheadMs, sleep: clock.sleep };
  const program = openProgram(folder, simulator.origin, ahead, 'before');
  await live(program, simulator, clock, look);
  look('end');
  await program.app.close();
  await simulator.close();
  return snapshots;
}

type Look = (when: 'step') => void;

async function live(program: Program, simulator: Simulator, clock: ManualClock, look: Look): Promise<void> {
  await enrol(program.app, { approval: 'page', limits });
  await decide(program, clock);
  await send(program, simulator, clock);
  await meetOthers(program, simulator, clock);
  look('step');
  await lift(program);
  await mistype(program, clock);
  await sendDrafts(program, clock);
  await readHistory(program, simulator);
  await program.app.services.recurringPlans.add({
    name: 'savings',
    schedule: { every: 'month', day: 15 },
    question: { goal: 'invest', amount: '100' },
  });
  await program.app.services.recurringPlans.draftDue();
  look('step');
  // A draft like one of the last ten minutes would be refused.
  await clock.advance(11 * 60_000);
  await callUntilPending(program, 'place_limit_order', buy(waiting.order));
  const draft = await saveDraft(program, waiting.legs);
  await callUntilPending(program, 'submit_draft', { draftId: draft, version: 1 });
}

/**
 * The clock jumps while a file is written, past the deadline of a call that waits for it: nothing is sent then, and
 * the call is made again.
 */
async function callUntilPending(program: Program, name: string, args: object): Promise<void> {
  let said: { readonly outcome?: string } = {};
  for (let attempt = 0; attempt < 5; attempt++) {
    said = await program.call(name, args);
    if (said.outcome === 'pending_approval') return;
  }
  throw new Error(`${name} does not wait for an approval: ${JSON.stringify(said)}`);
}

const saveDraft = async (program: Program, quantities: readonly number[]): Promise<string> =>
  (await program.call('save_draft', { legs: quantities.map((quantity) => ({ type: 'LIMIT', ...buy(quantity) })) }))
    .draftId;

const lift = (program: Program) => program.app.journal.change(liftHalt);

/** Orders that are refused, expired and rejected by a person. */
async function decide(program: Program, clock: ManualClock): Promise<void> {
  await program.call('place_limit_order', buy(100_000));
  await program.call('place_limit_order', buy(1));
  await clock.advance(301_000);
  await program.settle();
  await program.call('place_limit_order', buy(2));
  const declined = await program.findIntent(2);
  await program.app.services.approvals.reject({ intentId: declined?.id ?? '', channel: 'page' });
}

/** Orders that are placed, filled, rejected, not sent and lost. */
async function send(program: Program, { faults }: Simulator, clock: ManualClock): Promise<void> {
  const place = async (quantity: number) => {
    await program.call('place_limit_order', buy(quantity));
    await program.approve(quantity);
    await program.settle();
  };
  await place(3);
  await program.call('place_market_order', { ticker, side: 'BUY', quantity: 4 });
  await program.approve(4);
  await program.settle();
  faults.push({ endpoint: 'placeLimitOrder', kind: 'status', status: 400 });
  await place(5);
  await clock.advance(60_000);
  faults.push({ endpoint: 'placeLimitOrder', kind: 'rateLimitedWithoutHeaders' });
  await place(6);
  await clock.advance(120_000);
  await program.settle();
  faults.push({ endpoint: 'placeLimitOrder', kind: 'resetAfterRead' });
  await place(7);
  await program.settle();
  const placed = await program.findIntent(3);
  await program.call('cancel_order', { orderId: placed?.orderId ?? '' });
}

/** An order of another program, which halts trading. */
async function meetOthers(program: Program, simulator: Simulator, clock: ManualClock): Promise<void> {
  simulator.inject.order({ ticker, quantity: 8, type: 'LIMIT', limitPrice: 11, initiatedFrom: 'API' });
  await clock.advance(120_000);
  await program.call('place_limit_order', buy(9));
  await program.settle();
  await program.app.journal.read(readHalt);
}

async function mistype(program: Program, clock: ManualClock): Promise<void> {
  const { security } = program.app;
  for (const channel of ['page', 'terminal'] as const) await security.check('not the passphrase', channel);
  await clock.advance(10_000);
  await security.check(passphrase, 'terminal', 0);
}

/** Drafts that are saved, edited, rejected and sent. */
async function sendDrafts(program: Program, clock: ManualClock): Promise<void> {
  const rejected = await saveDraft(program, [11, 12]);
  await program.call('submit_draft', { draftId: rejected, version: 1 });
  const [submission] = await program.app.services.drafts.store.read((tx) => tx.listSubmissions({ draftId: rejected }));
  await program.app.services.draftApprovals.reject({ submissionId: submission?.id ?? '', channel: 'page' });
  const sent = await saveDraft(program, [13, 14]);
  await program.call('submit_draft', { draftId: sent, version: 1 });
  await program.approveDraft(sent);
  await program.settle();
  await clock.advance(60_000);
}

async function readHistory(program: Program, simulator: Simulator): Promise<void> {
  await Promise.all([
    program.call('fetch_history', { kind: 'orders' }),
    program.call('fetch_history', { kind: 'dividends' }),
    program.call('list_positions'),
  ]);
  simulator.faults.push({ endpoint: 'listTransactions', kind: 'status', status: 500, times: 8 });
  await program.call('fetch_history', { kind: 'transactions' });
  await program.call('import_history', { years: 1 });
  // A host that asked what changed an hour ago, and now.
  const { lastAsked, clock } = program.app.services;
  for (const at of [clock.now() - 3_600_000, clock.now()])
    await lastAsked.note('a host', { at, weights: {}, seenFrom: at, seen: [] });
}
