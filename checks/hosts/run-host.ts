/** One host, from its installation to the end of the script, in a home of its own. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lastLines, runCommand } from '../conformance/command.ts';
import { findObject } from './find-object.ts';
import type { HostRun } from './hosts.ts';
import { startModel } from './scripted-model.ts';
import { type Fields, formStep, promptTitle, type Step, stepsOf } from './steps.ts';

const binary = resolve('dist/brokerage-mcp.cjs');
const setUpMs = 60_000;
const playMs = 300_000;

export interface HostOutcome {
  /** Whether it asked its model for anything. */
  readonly hasBegun: boolean;
  /** The number of our tools that the model was shown. */
  readonly tools: number;
  /** What is wrong with each step by its title; undefined when it is right. A step that the host has not is left out. */
  readonly faults: Readonly<Record<string, string | undefined>>;
  /** The end of what the host wrote. */
  readonly said: string;
}

/** Throws when the host cannot be configured. `installed` is the folder with its package. */
export async function runHost(host: HostRun, installed: string, ours: readonly string[]): Promise<HostOutcome> {
  const steps = stepsOf(host);
  const script = await play(host, { installed, ours, steps, args: host.args('Play the script.') });
  const typed = host.prompt?.('draft_order', 'three shares') ?? host.args('Place the order.');
  const asked = await play(host, {
    installed,
    ours,
    steps: [formStep],
    args: typed,
    flags: ['--approval', 'elicitation'],
  });
  const isRead = asked.hasHeard('Draft an order: three');
  return {
    hasBegun: script.hasHeard(''),
    tools: script.tools,
    faults: {
      ...script.faults,
      ...(host.prompt ? { [promptTitle]: isRead ? undefined : 'the model did not read it' } : {}),
      ...asked.faults,
    },
    said: `${script.said}\n${asked.said}`,
  };
}

interface Play {
  readonly installed: string;
  readonly ours: readonly string[];
  readonly steps: readonly Step[];
  readonly args: readonly string[];
  /** For `init`. */
  readonly flags?: readonly string[];
}

/** Runs the host once, in a home of its own, until the steps are played. */
async function play(host: HostRun, { installed, ours, steps, args, flags = [] }: Play) {
  const home = await mkdtemp(join(installed, 'home-'));
  const env = { PATH: `${join(installed, 'node_modules/.bin')}:${process.env.PATH}`, HOME: home };
  const model = await startModel((results) => {
    const step = steps[results.length];
    const before = (title: string) => findObject(results[steps.findIndex((one) => one.title === title)] ?? '');
    return step?.call(before);
  }, ours);
  try {
    for (const [name, text] of Object.entries(host.files?.(model.url) ?? {})) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    const init = ['init', '--yes', '--no-doctor', '--client', host.id, ...flags];
    const done = await runAlone(process.execPath, [binary, ...init], { home, env, timeoutMs: setUpMs });
    if (done.code !== 0) throw new Error(`init of ${host.name} failed: ${lastLines(done.stderr)}`);
    const end = await runAlone(host.command, args, {
      home,
      env: { ...env, ...host.env(model.url) },
      timeoutMs: playMs,
    }).catch((error: Error) => ({ stdout: '', stderr: error.message }));
    return {
      tools: model.tools().length,
      faults: judge(steps, model.results()),
      hasHeard: model.hasHeard,
      said: lastLines(`${end.stderr}\n${end.stdout}`, 15),
    };
  } finally {
    await model.close();
  }
}

function judge(steps: readonly Step[], results: readonly string[]): HostOutcome['faults'] {
  const objects: readonly Fields[] = results.map((text) => findObject(text));
  const before = (title: string) => objects[steps.findIndex((one) => one.title === title)] ?? {};
  return Object.fromEntries(
    steps.map(({ title, check }, index) => {
      const text = results[index];
      const fault = text === undefined ? 'no result' : check({ text, fields: objects[index] ?? {} }, before);
      return [title, fault === undefined || text === undefined ? fault : `${fault}: ${text.slice(0, 400)}`];
    }),
  );
}

interface Alone {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Without any variable of this process: a host must find nothing of the person who runs this. */
function runAlone(command: string, args: readonly string[], { home, env, timeoutMs }: Alone) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return runCommand('env', ['-i', ...variables, command, ...args], { cwd: home, timeoutMs });
}
