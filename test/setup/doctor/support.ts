/** A machine of its own for a doctor: an empty home, and the doctor in this process or as a real one. */
import { type ExecFileException, execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, createApp } from '../../../src/app/composition-root.ts';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import type { ProcessContext } from '../../../src/core/process/process-context.ts';
import { readConfig } from '../../../src/core/settings/config.ts';
import { checks } from '../../../src/setup/doctor/check-list.ts';
import { type CheckResult, createDoctorContext } from '../../../src/setup/doctor/context.ts';
import { type DoctorCheck, runChecks } from '../../../src/setup/doctor/run-checks.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../../src/simulator/index.ts';
import { testTerminal } from '../../support/command.ts';

/** Recognisable wherever they turn up. */
export const planted = { key: 'PLANTED-key-5f2c', secret: 'PLANTED-secret-91d7' };

export interface Machine {
  readonly home: string;
  readonly stateDir: string;
  /** The directory in which the command is typed. */
  readonly folder: string;
  env: Record<string, string>;
  /** Parts of the terminal that are not those of this machine. */
  terminal: Partial<ProcessContext>;
  flags: Record<string, string>;
  /** Makes a file below the home, for its owner alone unless said otherwise. */
  write(path: string, text: string, mode?: number): string;
}

export function machine(): Machine {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-doctor-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'work');
  mkdirSync(folder);
  return {
    home,
    folder,
    stateDir: join(home, '.local', 'state', 'brokerage-mcp'),
    env: { HOME: home, PATH: process.env.PATH ?? '' },
    terminal: {},
    flags: {},
    write: (path, text, mode = 0o600) => {
      const full = join(home, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      chmodSync(full, mode);
      return full;
    },
  };
}

export const terminalOf = ({ env, terminal }: Machine): ProcessContext => testTerminal({ env, ...terminal });

/** The checks that start no process; the others have tests of their own. */
const quick = checks.filter(({ name }) => name !== 'handshakes');

/** Each check has many seconds, and all together have no end: a busy machine is no fault. */
const patientClock: Clock = {
  now: () => 0,
  sleep: (ms, signal) => systemClock.sleep(20 * ms, signal),
};

export async function examine(here: Machine, wanted: readonly DoctorCheck[] = quick): Promise<readonly CheckResult[]> {
  const scene = createDoctorContext(here.flags, terminalOf(here), here.folder);
  try {
    return await runChecks(wanted, scene, { clock: patientClock });
  } finally {
    await scene.close();
  }
}

/** The parts of a server on the machine, to leave state behind with. */
export async function withServer(here: Machine, work: (parts: App) => Promise<unknown>): Promise<void> {
  const parts = createApp(readConfig({}, terminalOf(here)));
  try {
    await work(parts);
  } finally {
    await parts.close();
  }
}

/** A demo account on a simulator, configured by variables. */
export async function demoAccount(here: Machine, options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({
    clock: systemClock,
    credentials: planted,
    instrumentCount: 200,
    ...options,
  });
  onTestFinished(() => simulator.close());
  Object.assign(here.env, demoVariables(simulator.origin));
  return simulator;
}

export const demoVariables = (origin: string) => ({
  BROKER_ENV: 'demo',
  BROKER_DEMO_BASE_URL: origin,
  BROKER_API_KEY: planted.key,
  BROKER_API_SECRET: planted.secret,
});

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The built program as a real process; `prefix` starts it as another user. Its checks have minutes: a busy machine is
 * no fault.
 */
export function doctor(
  here: Machine,
  args: readonly string[] = [],
  {
    prefix = [],
    program = resolve('dist/brokerage-mcp.cjs'),
    timeout = 150,
  }: { prefix?: readonly string[]; program?: string; timeout?: number } = {},
): Promise<Outcome> {
  const [command = '', ...rest] = [
    ...prefix,
    process.execPath,
    program,
    'doctor',
    '--timeout',
    String(timeout),
    ...args,
  ];
  return new Promise((settle) => {
    execFile(command, rest, { env: here.env, cwd: here.folder, timeout: 170_000 }, (error, stdout, stderr) => {
      settle({ code: Number((error as ExecFileException | null)?.code ?? 0), stdout, stderr });
    });
  });
}

/** The lines of `doctor --json`. */
export const linesOf = ({ stdout }: Outcome): readonly CheckResult[] => JSON.parse(stdout).lines;
