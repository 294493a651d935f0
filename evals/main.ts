/** `npm run evals -- [--group NAME] [--only ID,ID] [--json FILE] [--controls]`: requests, played and checked. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { all, groups } from './all.ts';
import { chatModel } from './models/chat.ts';
import { controls } from './models/controls.ts';
import { ideal } from './models/scripted.ts';
import { controlTable, evalTable, passed, remarks } from './run/report.ts';
import type { PlayOptions } from './run/run-eval.ts';
import { runControls, runEvals } from './run/run-evals.ts';
import type { Eval, Model } from './types.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

class UsageError extends Error {}
const stop = (message: string): never => {
  throw new UsageError(message);
};

const options: PlayOptions = {
  binary: 'dist/brokerage-mcp.cjs',
  limitScale: 0.01,
  instrumentCount: 15_000,
  phases: ['cold', 'warm'],
  requestsCount: true,
};

try {
  const args = readArguments();
  const model = readModel();
  const evaluations = chosen(args, model === undefined);
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  await (args.controls ? playControls(args.json) : playEvals(evaluations, model, args.json));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`evals: ${error.message}\n`);
  process.exitCode = 2;
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        group: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'string' },
        controls: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return stop((error as Error).message);
  }
}

function readModel(): Model | undefined {
  const { EVAL_MODEL_URL: url, EVAL_MODEL_NAME: name, EVAL_MODEL_KEY: key } = process.env;
  if (!url && !name) return undefined;
  if (!url || !name) return stop('a real model needs both EVAL_MODEL_URL and EVAL_MODEL_NAME.');
  if (!URL.canParse(url)) return stop(`EVAL_MODEL_URL is no address: ${url}`);
  return chatModel({ url, name, key });
}

interface Choice {
  readonly group?: string | undefined;
  readonly only?: string | undefined;
}

function chosen({ group, only }: Choice, isIdeal: boolean): readonly Eval[] {
  const ids = only?.split(',').map((id) => id.trim());
  if (group !== undefined && !groups.some((name) => name === group))
    return stop(`--group is "${group}"; it must be ${groups.join(', ')}.`);
  const unknown = ids?.filter((id) => !all.some((one) => one.id === id)) ?? [];
  if (unknown.length > 0)
    return stop(`--only names nothing: ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}.`);
  const left = all.filter(
    (one) =>
      (group === undefined || one.group === group) &&
      (ids === undefined || ids.includes(one.id)) &&
      (isIdeal || one.scriptedOnly === undefined),
  );
  // A run of no evaluation would pass.
  return left.length > 0 ? left : stop('that leaves nothing to play.');
}

async function playEvals(
  evaluations: readonly Eval[],
  model: Model | undefined,
  json: string | undefined,
): Promise<void> {
  const isIdeal = model === undefined;
  if (!isIdeal) {
    const left = all.filter((one) => one.scriptedOnly !== undefined);
    say(`Model: ${model.name}. Left out: ${left.map(({ id, scriptedOnly }) => `${id} (${scriptedOnly})`).join('; ')}.`);
  }
  const outcomes = await runEvals(
    evaluations,
    model ?? ideal,
    isIdeal ? options : { ...options, phases: ['cold'], requestsCount: false },
    (outcome) => say(`${passed(outcome) ? 'pass' : 'FAIL'}  ${outcome.evaluation.id}`),
  );
  say(`\n${evalTable(outcomes)}`);
  const lines = remarks(outcomes, isIdeal);
  if (lines.length > 0) say(`\n${lines.join('\n')}`);
  if (json) writeFileSync(json, `${JSON.stringify(outcomes, undefined, 2)}\n`);
  process.exitCode = outcomes.every(passed) ? 0 : 1;
}

async function playControls(json: string | undefined): Promise<void> {
  const outcomes = await runControls(controls, options);
  say(controlTable(outcomes));
  if (json) writeFileSync(json, `${JSON.stringify(outcomes, undefined, 2)}\n`);
  process.exitCode = outcomes.every(({ isCaught }) => isCaught) ? 0 : 1;
}
