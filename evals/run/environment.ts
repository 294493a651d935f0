/** Where an evaluation is played: the simulated service here, and the built server as a process of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectStdio, type StdioClient } from '../../src/cli/stdio-client.ts';
import { type GroundTruth, type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { createWorld, type World } from '../../src/simulator/world/world.ts';
import { credentials, credentialsOfSecond } from './credentials.ts';
import { type Recording, startRecording } from './recording.ts';

/** A Thursday on which the exchanges on both sides of the Atlantic are open; a full minute, because prices change then. */
const openMarketsAt = Date.UTC(2026, 0, 15, 15, 0, 0);
/** The Saturday after it. */
export const closedMarketsAt = Date.UTC(2026, 0, 17, 12, 0, 0);

export interface Setting {
  /** Default: a day on which the markets are open. */
  readonly startAt?: number;
  /** Further flags of the server. */
  readonly flags?: readonly string[];
  /** Settings of the server that have no flag. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Files of the owner by their path in the configuration folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of the common scale. */
  readonly limitScale?: number;
  /** A second account of the person, and what kind each of the two is. The first is named `invest`. */
  readonly second?: { readonly name: string; readonly kind: 'invest' | 'isa' };
  /** Server processes on the same state folder; default 1. */
  readonly servers?: number;
  /** What has happened before the person asks. */
  readonly prepare?: (simulator: Simulator) => unknown;
}

export interface SiteOptions {
  readonly binary: string;
  /** Multiplies the period of every limit. The service says so in its headers, and the server adopts it. */
  readonly limitScale: number;
  readonly instrumentCount: number;
}

export interface CommandResult {
  readonly exitCode: number | null;
  /** Of the standard output. */
  readonly lines: readonly string[];
}

export interface Site {
  readonly simulator: Simulator;
  /** The books of the accounts as they are now. */
  readBooks(): { readonly books: GroundTruth; readonly second: GroundTruth | undefined };
  /** Names, currencies, prices and rates as the service has them. */
  readonly world: World;
  readonly servers: readonly StdioClient[];
  /** Runs a command of the program on the store of the servers. */
  run(command: readonly string[]): Promise<CommandResult>;
  /** The moment in the simulated world. */
  now(): number;
  /** Of everything that is visible from outside. */
  readonly recording: Recording;
}

const seed = 1;

/** Opens a site, works on it and ends everything that belongs to it. */
export async function onSite<Result>(
  setting: Setting,
  options: SiteOptions,
  work: (site: Site) => Promise<Result>,
): Promise<Result> {
  const stateDir = mkdtempSync(join(tmpdir(), 'brokerage-mcp-evals-'));
  const startAt = setting.startAt ?? openMarketsAt;
  // The account opens at exactly this moment, so that it is the same one each time; then time runs.
  let shiftMs: number | undefined;
  const now = () => (shiftMs === undefined ? startAt : Date.now() + shiftMs);
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const { instrumentCount } = options;
  const limitScale = setting.limitScale ?? options.limitScale;
  const { second } = setting;
  const others = second ? [{ name: second.name, credentials: credentialsOfSecond }] : [];
  const clock = { now, sleep };
  const simulator = await startSimulator({ clock, credentials, others, seed, limitScale, instrumentCount });
  const readBooks = () => ({
    books: simulator.groundTruth(),
    second: second && simulator.others[second.name]?.groundTruth(),
  });
  shiftMs = startAt - Date.now();
  for (const [path, text] of Object.entries(setting.files ?? {})) {
    mkdirSync(dirname(join(stateDir, path)), { recursive: true });
    writeFileSync(join(stateDir, path), text);
  }
  const env = {
    PATH: process.env.PATH,
    HOME: stateDir,
    BROKER_CONFIG_DIR: stateDir,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    ...keysFor(second),
    EVALS_CLOCK_SHIFT_MS: String(shiftMs),
  };
  const program = ['--import', './evals/run/shifted-clock.mjs', options.binary];
  const onStore = ['--state-dir', stateDir];
  const run = (command: readonly string[]) => runCommand([...program, ...command, ...onStore], env);
  const serverEnv = { ...env, ...setting.variables };
  const servers: StdioClient[] = [];
  try {
    await setting.prepare?.(simulator);
    const world = createWorld(seed, instrumentCount);
    const recording = startRecording({
      simulator,
      world,
      now,
      variables: setting.variables ?? {},
      second: second?.name,
    });
    for (let count = 0; count < (setting.servers ?? 1); count++)
      servers.push(await connectStdio(process.execPath, [...program, ...onStore, ...(setting.flags ?? [])], serverEnv));
    return await work({ simulator, readBooks, world, servers, run, now, recording });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await simulator.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

const keysFor = (second: Setting['second']): Readonly<Record<string, string>> =>
  second === undefined
    ? { BROKER_API_KEY: credentials.key, BROKER_API_SECRET: credentials.secret }
    : {
        BROKER_ACCOUNTS: `invest,${second.name}:${second.kind}`,
        BROKER_API_KEY_INVEST: credentials.key,
        BROKER_API_SECRET_INVEST: credentials.secret,
        [`BROKER_API_KEY_${second.name.toUpperCase()}`]: credentialsOfSecond.key,
        [`BROKER_API_SECRET_${second.name.toUpperCase()}`]: credentialsOfSecond.secret,
      };

/** The longest time of a command (ms). */
const commandMs = 60_000;

function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: commandMs });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, lines: output.split('\n').filter((line) => line !== '') }));
  });
}
