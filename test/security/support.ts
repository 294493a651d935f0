/**
 * The side of the attacker: a live server with everything that the owner enabled, and all that a model, a host or a
 * page in a browser can do to it. After each attack the log of the service decides.
 */
import { createHash, scryptSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app/composition-root.ts';
import { serviceName } from '../../src/core/broker/service-url.ts';
import { serve } from '../../src/core/mcp/mcp-server.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import { setHalt } from '../../src/core/orders/halt/trading-state.ts';
import type { ApprovalMethod } from '../../src/core/orders/intent/approval-methods.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import { type ConfiguredLimits, limitNames, limitRows } from '../../src/core/orders/intent/risk-limits.ts';
import type { Config } from '../../src/core/settings/config.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { fewDays, openMarketsAt, servedParts } from '../support/setup.ts';
import { makeUsedStateFolder } from '../support/state-folder.ts';
import { createTestConfig } from '../support/test-config.ts';
import { judgeRecording, type Recording, startRecording } from './recording.ts';

export const passphrase = 'only the owner knows this';
/** Rests at the broker: a little below the price. */
export const order = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2, limitPrice: 11.5, timeValidity: 'DAY' };
export const marketOrder = { ticker: 'QNOON_GB_EQ', side: 'BUY', quantity: 2 };

const credentials = { key: 'live-key', secret: 'live-secret' };

/** What a host submits automatically for a form or an address. */
export type Elicited = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string | number | boolean> };
type Elicit = (params: Record<string, unknown>) => Elicited | Promise<Elicited>;

export interface HostOptions {
  /** What the host declares that it can show. */
  readonly can?: { form?: object; url?: object } | undefined;
  readonly elicit?: Elicit;
  /** The older revision asks in the middle of a call, the newer one between two calls. */
  readonly revision?: 'older' | 'newer';
}

/** The parts of a call that only a host can write, and that no model sees. */
export interface Resumed {
  readonly requestState?: unknown;
  readonly inputResponses?: Record<string, unknown>;
}

/** One server process and the host that talks to it. */
export interface Side {
  readonly composed: App;
  // biome-ignore lint/suspicious/noExplicitAny: attacks look at answers of every shape.
  call(name: string, args?: Record<string, unknown>, resumed?: Resumed): Promise<any>;
  tools(): Promise<string[]>;
  readAudit(): Promise<string>;
  /** Another host on the same server. */
  host(options: HostOptions): Promise<Side>;
}

export interface Attack extends Side {
  readonly simulator: Simulator;
  readonly clock: ManualClock;
  readonly stateDir: string;
  readonly config: Config;
  /** Of everything that the judge sees. */
  readonly recording: Recording;
  /** Another server process on the same state folder. */
  process(config?: Partial<Config>, options?: HostOptions): Promise<Side>;
  /** The owner enrols again, with the same passphrase. */
  enrol(what: Enrolled): Promise<void>;
  intents(): Promise<readonly Intent[]>;
}

export interface AttackOptions extends HostOptions {
  /** Undefined: no owner has enrolled. */
  readonly enrolled?: { approval?: ApprovalMethod; limits?: ConfiguredLimits } | undefined;
  readonly config?: Partial<Config>;
  /** When it is stopped; default after the test. Tables of cases that change nothing share one. */
  readonly atEnd?: (work: () => Promise<unknown>) => void;
  /** Receives the addresses that the server opens in the owner's browser. */
  readonly openBrowser?: (address: string) => void;
}

type AtEnd = NonNullable<AttackOptions['atEnd']>;
const afterTest: AtEnd = (work) =>
  onTestFinished(async () => {
    await work();
  });

/** Environment `live` as the owner set it up: live trading on, a passphrase enrolled, approval on the page. */
export async function attack(options: AttackOptions = {}): Promise<Attack> {
  const clock = createManualClock({ startAt: openMarketsAt, auto: true });
  const { atEnd = afterTest } = options;
  const stateDir = await makeUsedStateFolder('brokerage-mcp-attack-');
  atEnd(() => rm(stateDir, { recursive: true, force: true }));
  // A seed of its own: the account of another service is another account.
  const simulator = await startUpstream(clock, atEnd, 1);
  const config = createTestConfig(stateDir, {
    environment: 'live',
    baseUrl: simulator.origin,
    credentials,
    liveTrading: true,
    ...options.config,
  });
  // A host that opens addresses gets one immediately, so no test has to wait for the forty seconds of a call.
  const host: HostOptions = 'can' in options ? options : { ...options, can: { url: {} } };
  const recording = startRecording(simulator, clock, config);
  const { setPrice } = simulator.inject;
  simulator.inject.setPrice = (ticker, price) => {
    if (ticker === order.ticker) recording.note({ kind: 'price', ticker, price: String(price), unit: '1' });
    setPrice(ticker, price);
  };
  simulator.inject.setPrice(order.ticker, 12);
  atEnd(async () => judgeRecording(recording));
  const place = { clock, atEnd, recording };
  const side = await startServer(config, place, host, options.openBrowser);
  const enrolAgain = async (what: Enrolled) => {
    await enrol(side.composed, what);
    recording.enrolled({ passphrase, ...what });
  };
  const { approval = 'page', limits = {} } = options.enrolled ?? {};
  if (!('enrolled' in options) || options.enrolled) await enrolAgain({ approval, limits });
  return {
    ...side,
    simulator,
    clock,
    stateDir,
    config,
    // A server of another service or account is another run.
    process: (change = {}, host = {}) =>
      startServer({ ...config, ...change }, { ...place, recording: isElsewhere(change) ? undefined : recording }, host),
    recording,
    enrol: enrolAgain,
    intents: () => side.composed.journal.read((tx) => tx.list()),
  };
}

const isElsewhere = ({ environment, baseUrl, credentials: keys }: Partial<Config>) =>
  environment !== undefined || baseUrl !== undefined || keys !== undefined;

type Enrolled = { readonly approval: ApprovalMethod; readonly limits: ConfiguredLimits };

/** scrypt's N in most attacks: checking a passphrase takes a tenth of a second on purpose, and hundreds are checked. */
const cheap = 2 ** 8;
let record: object | undefined;

/** The enrolment of the owner, made once and then copied. The hash is cheaper, as on a slower machine. */
export async function enrol({ security, journal, settings }: App, what: Enrolled) {
  if (!record) {
    await security.enrol({ passphrase, ...what });
    const kept = await journal.read((tx) => tx.get<{ salt: string }>('security'));
    const text = createHash('sha256').update(passphrase).digest();
    const hash = scryptSync(text, Buffer.from(kept?.salt ?? '', 'hex'), 32, { N: cheap, r: 8, p: 1 }).toString('hex');
    record = { ...kept, hash, cost: cheap };
  }
  const { origin } = settings;
  await journal.change((tx) => tx.set('security', { ...record, ...what, origin: origin && serviceName(origin) }));
}

/** A service of its own, with the price that the orders here are made for. */
export async function startUpstream(
  clock: ManualClock,
  atEnd: AtEnd = afterTest,
  seed = 2,
  keys = credentials,
): Promise<Simulator> {
  const simulator = await startSimulator({
    clock,
    credentials: keys,
    instrumentCount: 100,
    publishedDays: fewDays,
    seed,
  });
  simulator.inject.setPrice(order.ticker, 12);
  atEnd(() => simulator.close());
  return simulator;
}

/** What the servers of an attack have in common. */
interface Place {
  readonly clock: ManualClock;
  readonly atEnd: AtEnd;
  readonly recording: Recording | undefined;
}

async function startServer(
  config: Config,
  place: Place,
  options: HostOptions,
  openBrowser?: (address: string) => void,
): Promise<Side> {
  const composed = createApp(config, { clock: place.clock, openBrowser });
  place.atEnd(() => composed.close());
  place.recording?.watch(composed);
  return connect(composed, config, options, place);
}

async function connect(composed: App, config: Config, options: HostOptions, place: Place): Promise<Side> {
  const { atEnd, recording } = place;
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(
    { ...(await servedParts({ composed })), config },
    { onError: () => undefined, transport: serverSide },
  );
  const { can, elicit, revision = 'newer' } = options;
  const client = new Client({ name: 'attacker', version: '1' }, {
    versionNegotiation: { mode: revision === 'older' ? 'legacy' : 'auto' },
    ...(can ? { capabilities: { elicitation: can } } : {}),
  } as ClientOptions);
  let forms = 0;
  if (can && elicit)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const id = `form ${++forms} of ${place.clock.now()}`;
      if (params.mode !== 'url') recording?.form(params.message, id);
      const answer = await elicit({ ...params });
      recording?.formAnswered(id, answer);
      return answer;
    });
  await client.connect(clientSide);
  atEnd(async () => {
    await client.close();
    await handle.close();
  });
  return {
    composed,
    host: (other) => connect(composed, config, other, place),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    readAudit: async () => JSON.stringify((await client.readResource({ uri: 'audit://today' })).contents),
    call: async (name, args = {}, resumed = {}) => {
      const params = { name, arguments: args, ...resumed } as { name: string };
      const answered = recording?.call(name, args, resumed);
      // With a handler the SDK asks the host; without one the host sees the question itself.
      const result = await client
        .request({ method: 'tools/call', params }, elicit ? {} : ({ allowInputRequired: true } as object))
        .catch((error: Error) => ({ refusedByProtocol: error.message }));
      const body =
        'content' in result ? parseResponseText((result.content as { text: string }[])[0]?.text ?? 'null') : result;
      answered?.(body as Record<string, unknown>, result);
      return body;
    },
  };
}

/** Runs the background work of a server until nothing changes any more. */
export async function letItGoOn({ composed }: Side): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 3 && looks < 400; looks++) {
    await composed.services.orderManager.tick();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const moving = await composed.journal.read((tx) => tx.list({ states: ['APPROVED', 'SENDING'] }));
    quiet = moving.length === 0 || looks > 25 ? quiet + 1 : 0;
  }
}

/** The orders that reached the service, from its own log; one that was cut off has no body. */
export const ordersThatLeft = ({ log }: Simulator): Record<string, unknown>[] =>
  log
    .filter(({ method, path }) => method === 'POST' && path.includes('/orders/'))
    .map(({ body }) => (body === '' ? {} : JSON.parse(body)));

const sentStates = ['SENDING', 'PLACED', 'REJECTED', 'UNKNOWN', 'AMBIGUOUS', 'PROBABLY_ABSENT'];

/** The promise: no request at the service, no order in its books, no intent recorded as sent. */
export async function expectNothingLeft(attacked: Attack): Promise<void> {
  await letItGoOn(attacked);
  expect(ordersThatLeft(attacked.simulator)).toEqual([]);
  const intents = await attacked.intents();
  expect(intents.filter(({ state, sentAt }) => sentStates.includes(state) || sentAt !== undefined)).toEqual([]);
  const booked = attacked.simulator.groundTruth().pendingOrders;
  expect(booked.filter(({ ticker, initiatedFrom }) => ticker === order.ticker && initiatedFrom === 'API')).toEqual([]);
}

/** A place call that waits for an approval, and what the host receives about it. */
export async function waitingOrder(side: Side, change: Record<string, unknown> = {}, tool = 'place_limit_order') {
  const said = await side.call(tool, tool === 'place_limit_order' ? { ...order, ...change } : change);
  const address = said.approval?.address ?? said.inputRequests?.approval?.params?.url;
  expect(address).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+\/approve\/[\w-]{32}$/);
  const intents = await side.composed.journal.read((tx) => tx.list());
  const intent = intents.find(({ approval }) => approval && String(address).endsWith(`/${approval.handle}`));
  if (!intent?.approval) throw new Error('No order waits.');
  const { nonce, handle, digest } = intent.approval;
  return { intentId: intent.id, address: String(address), nonce, handle, digest };
}

/**
 * An attacker writes into the store's file. One who can do that and compute a new digest is outside of what a server
 * can stop; one who only alters what an approval was given for must gain nothing.
 */
export async function tamper({ stateDir }: Attack, id: string, change: (intent: Intent) => unknown): Promise<void> {
  using file = await openFile(stateDir);
  const { data } = file.db.prepare('SELECT data FROM intents WHERE id = ?').get(id) as { data: string };
  const after = change(JSON.parse(data)) as Intent;
  const columns = [after.state, after.environment, after.accountKey, after.ticker, after.fingerprint];
  file.db
    .prepare(
      'UPDATE intents SET data = ?, state = ?, environment = ?, account = ?, ticker = ?, fingerprint = ? WHERE id = ?',
    )
    .run(JSON.stringify(after), ...columns, id);
}

/** Halts trading, as the command does in the journal or a person does with a file. */
export async function haltAll(
  { recording, stateDir, clock }: Attack,
  { composed }: Side,
  how: 'in the journal' | 'by the file' = 'in the journal',
): Promise<void> {
  if (how === 'by the file') writeFileSync(join(stateDir, 'halt'), '');
  else await composed.journal.change((tx) => setHalt(tx, { at: clock.now(), by: 'command', reason: 'A test.' }));
  recording.note({ kind: 'stop' });
}

/** Removes the file, which lifts no halt of the journal. */
export const removeHaltFile = ({ stateDir }: Attack): void => rmSync(join(stateDir, 'halt'), { force: true });

/** As if the same refused call had come this many more times. */
export async function multiply({ stateDir }: Attack, id: string, times: number): Promise<void> {
  using file = await openFile(stateDir);
  const names = 'account, environment, kind, state, ticker, fingerprint, created_at';
  file.db
    .prepare(
      `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)
       INSERT INTO intents (id, ${names}, data)
       SELECT printf('%032x', n), ${names}, replace(data, id, printf('%032x', n)) FROM intents, many WHERE id = ?`,
    )
    .run(times, id);
}

export async function openFile(stateDir: string) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(join(stateDir, 'store.sqlite'));
  return { db, [Symbol.dispose]: () => db.close() };
}

/** For tables that share one set-up: their many waiting orders are not part of the attack. */
export const roomy: ConfiguredLimits = {
  ...Object.fromEntries(limitNames.filter((name) => limitRows[name].kind === 'count').map((name) => [name, 1000])),
  maxDayValue: '100000',
};

/** For a table that shares one set-up: `const end = atEndOfFile(afterAll)`. */
export function atEndOfFile(afterAll: (work: () => Promise<void>) => void): AtEnd {
  const works: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const work of works.reverse()) await work();
  });
  return (work) => void works.push(work);
}
