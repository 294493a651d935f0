/** Shows all changes of one init together, then writes them in an order in which no file names a missing one. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../core/errors.ts';
import type { Tone } from '../../core/process/text-style.ts';
import {
  type ConfigEdit,
  deleteStoredKeys,
  makePrivate,
  type StoredKeys,
  storedKeys,
  storeSecret,
} from './config-file.ts';
import { formatSnippet } from './edit-config.ts';
import { HostFileError, replaceHostFile } from './files.ts';
import type { Entry } from './host.ts';
import { applyPlan, type HostPlan, isChange, planLines } from './plan.ts';
import { jsonDiffLines } from './render.ts';
import type { SetupOptions } from './setup-options.ts';

/** Everything that one init will change. */
export interface Setup {
  readonly configDir: string;
  readonly config: ConfigEdit;
  readonly plans: readonly HostPlan[];
  readonly answers: SetupOptions;
}

type Say = (line: string, tone?: Tone) => void;

/** Lines of a difference have the colours of most programs. */
const sayChanges = (say: Say, line: string) =>
  say(line, /^\s*\+/.test(line) ? 'good' : /^\s*-/.test(line) ? 'bad' : undefined);

/** Shows all planned changes; for a file that cannot be edited, the text to paste. */
export function showSetup(say: Say, setup: Setup, build: (kept: HostPlan['kept']) => Entry): void {
  const { config, plans, answers } = setup;
  say('');
  if (answers.typed && answers.keys?.kind === 'files') say(`${keyLine(answers.keys)}, readable only by you`);
  const left = secretLeft(setup);
  if (left !== undefined && existsSync(left)) say(`Secret of the key before: ${left} (will be deleted)`);
  if (config.text !== config.file.text) {
    say(`Settings: ${config.file.path}${config.file.bytes ? '' : ' (new)'}`);
    for (const line of jsonDiffLines(config.before, config.after)) sayChanges(say, `  ${line}`);
  }
  for (const plan of plans) {
    for (const line of planLines(plan)) sayChanges(say, line);
    if (!(plan.work instanceof HostFileError)) continue;
    say(`Add this to ${plan.path}, beside the existing entries:`);
    say(formatSnippet(plan.host, build(plan.kept)));
  }
  say('');
}

const keyLine = ({ key, secret }: StoredKeys): string =>
  secret === undefined ? `Key, without a secret: ${key}` : `Key pair: ${key} and ${secret}`;

/** Path of the secret of an earlier key; it must be deleted when the new key has no secret. */
const secretLeft = ({ configDir, answers: { environment, typed } }: Setup): string | undefined =>
  typed && typed.secret === undefined ? storedKeys(configDir, environment).secret : undefined;

/**
 * Writes the keys, then the settings that name them, then the hosts that use them. Returns whether every host was
 * written. Throws a UsageError when keys or settings cannot be written.
 */
export function writeSetup(setup: Setup, say: Say, warn: Say): boolean {
  const { configDir, config, plans, answers } = setup;
  const now = new Date();
  try {
    makePrivate(configDir);
    const { keys, typed } = answers;
    const left = secretLeft(setup);
    if (left !== undefined) deleteStoredKeys(left);
    if (typed && keys?.kind === 'files') {
      // The key last: a key without its secret file would count as one without a secret.
      if (keys.secret !== undefined && typed.secret !== undefined) storeSecret(configDir, keys.secret, typed.secret);
      storeSecret(configDir, keys.key, typed.key);
    }
    if (config.text !== config.file.text) {
      const { backup } = replaceHostFile(config.file, config.text, now);
      say(`Settings: written ${config.file.path}${backup === undefined ? '' : `; backup: ${backup}`}`, 'good');
    }
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    throw new UsageError(`${error.message} No host was changed. ${error.next}`);
  }
  return plans
    .filter(isChange)
    .map((plan) => writeHost(plan, configDir, now, say, warn))
    .every((isDone) => isDone);
}

function writeHost(plan: HostPlan, configDir: string, now: Date, say: Say, warn: Say): boolean {
  try {
    const backup = applyPlan(plan, configDir, now);
    say(`${plan.host.name}: written${backup === undefined ? '' : `; backup: ${backup}`}`, 'good');
    say(`  ${plan.host.afterwards}`);
    if (plan.host.beforeOrder !== undefined) say(`  Before an order it ${plan.host.beforeOrder}.`);
    return true;
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    warn(`brokerage-mcp: ${error.message} ${error.next}`);
    return false;
  }
}
