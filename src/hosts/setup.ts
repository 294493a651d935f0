/** Everything that one init changes: shown as a whole, then written in an order in which nothing names what is not there yet. */
import { StartError } from '../errors.ts';
import { memberLines } from './config-diff.ts';
import { type ConfigEdit, makePrivate, storeSecret } from './config-file.ts';
import { snippetOf } from './edit-config.ts';
import { FileFault } from './file-error.ts';
import { replaceHostFile } from './files.ts';
import type { Entry } from './host.ts';
import { carryOut, type HostPlan, isChange, planLines } from './plan.ts';
import type { Answers } from './setup-options.ts';

export interface Setup {
  readonly configDir: string;
  readonly config: ConfigEdit;
  readonly plans: readonly HostPlan[];
  readonly answers: Answers;
}

type Say = (line: string) => void;

export function showSetup(say: Say, { config, plans, answers }: Setup, entry: Entry): void {
  say('');
  if (answers.typed && answers.keys?.kind === 'files')
    say(`Key pair: ${answers.keys.key} and ${answers.keys.secret}, for you alone`);
  if (config.text !== config.file.text) {
    say(`Settings: ${config.file.path}${config.file.bytes ? '' : ' (new)'}`);
    for (const line of memberLines(config.before, config.after)) say(`  ${line}`);
  }
  for (const plan of plans) {
    for (const line of planLines(plan)) say(line);
    if (!(plan.work instanceof FileFault)) continue;
    say(`What belongs into ${plan.path}, beside what is there:`);
    say(snippetOf(plan.host, entry));
  }
  say('');
}

/** Keys first, then the settings that name them, then the hosts that use them. Answers whether every host could be written. */
export function writeSetup({ configDir, config, plans, answers }: Setup, say: Say, warn: Say): boolean {
  const now = new Date();
  try {
    makePrivate(configDir);
    const { keys, typed } = answers;
    if (typed && keys?.kind === 'files') {
      storeSecret(configDir, keys.key, typed.key);
      storeSecret(configDir, keys.secret, typed.secret);
    }
    if (config.text !== config.file.text) replaceHostFile(config.file, config.text, now);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new StartError(`${error.message} No host was changed. ${error.next}`);
  }
  return plans
    .filter(isChange)
    .map((plan) => writeHost(plan, configDir, now, say, warn))
    .every((isDone) => isDone);
}

function writeHost(plan: HostPlan, configDir: string, now: Date, say: Say, warn: Say): boolean {
  try {
    const backup = carryOut(plan, configDir, now);
    say(`${plan.host.name}: written${backup === undefined ? '' : `; as it was: ${backup}`}`);
    say(`  ${plan.host.afterwards}`);
    return true;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    warn(`brokerage-mcp: ${error.message} ${error.next}`);
    return false;
  }
}
