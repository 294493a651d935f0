import { existsSync } from 'node:fs';
import { readEnrolment } from '../core/approval/enrollment/enrollment.ts';
import { UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { confirm, requireTty, type Tty } from '../core/process/terminal.ts';
import type { Tone } from '../core/process/text-style.ts';
import { configDir as configDirOf } from '../core/settings/paths.ts';
import { storeFile } from '../core/store/store-location.ts';
import { countOf } from '../core/text/count-of.ts';
import { nameWidth } from '../setup/doctor/check-list.ts';
import { type CheckResult, createDoctorContext } from '../setup/doctor/context.ts';
import { countWords } from '../setup/doctor/run-checks.ts';
import { planConfig } from '../setup/hosts/config-file.ts';
import { buildEntry, resolveLaunchCommand } from '../setup/hosts/entry.ts';
import { HostFileError } from '../setup/hosts/files.ts';
import { getPlatform, type Platform, rootWarning } from '../setup/hosts/host.ts';
import { parseHostFlags, promptHosts } from '../setup/hosts/hosts.ts';
import { isDraftOnly, type Profile, profileFromFlags, promptProfile } from '../setup/hosts/order-profile.ts';
import { findRestrictions, type HostPlan, isChange, planToAdd } from '../setup/hosts/plan.ts';
import { type Setup, showSetup, writeSetup } from '../setup/hosts/setup.ts';
import {
  describeIgnoredEnvironment,
  optionsFromFlags,
  promptOptions,
  validateSetup,
} from '../setup/hosts/setup-options.ts';
import type { Command, FlagValues } from './command.ts';
import { formatFinding, nameFix } from './doctor.ts';
import { outputStyle } from './output.ts';

/** Runs the checks of doctor with the flags of a server. */
type Check = (flags: FlagValues, terminal: ProcessContext) => Promise<readonly CheckResult[]>;

/**
 * Creates the init command, which connects hosts to this program. It asks for and shows every change before it writes
 * the first one. `check` checks the result; `--no-doctor` skips it.
 */
export const createInit =
  (check: Check): Command =>
  async ({ words, flags }, terminal) => {
    if (words.length > 0)
      throw new UsageError(`init takes no arguments, but got "${words[0]}"; name hosts with --client.`);
    const place = getPlatform(terminal);
    const tty = flags.yes === 'true' ? undefined : requireTty(terminal, whenNoTty(flags));
    const say = tty ? tty.say : terminal.print;
    try {
      const warning = rootWarning(place);
      if (warning !== undefined) terminal.warn(`brokerage-mcp: ${warning}`);
      const done = await connect({ flags, terminal, place, tty, say });
      if (!done) return 1;
      if (done.wrote && flags['no-doctor'] !== 'true') sayChecked(await check(done.entryFlags, terminal), terminal);
      const isLive = done.answers.environment === 'live';
      const liveSteps = isLive ? await listLiveSteps(done.entryFlags, terminal) : [];
      sayGoodbye((line) => say((terminal.nameCommands ?? String)(line)), liveSteps, onlyDrafts(done));
      return done.failed ? 1 : 0;
    } finally {
      tty?.close();
    }
  };

/** Shows what the checks found, and counts all. */
function sayChecked(lines: readonly CheckResult[], terminal: ProcessContext): void {
  const { isTerminal, columns } = terminal.screens.output;
  const style = outputStyle(terminal);
  const others = lines.filter(({ level }) => level !== 'ok');
  terminal.print('');
  for (const line of others)
    for (const text of formatFinding(
      nameFix(line, terminal),
      nameWidth,
      isTerminal ? columns : Number.POSITIVE_INFINITY,
      style,
    ))
      terminal.print(text);
  const hasFault = lines.some(({ level }) => level === 'fault');
  // A note is nothing that is wrong.
  const isFine = lines.every(({ level }) => level === 'ok' || level === 'note');
  const counts = [...(hasFault ? [] : ['no fault']), ...countWords(lines)].join(', ');
  terminal.print(style(isFine ? 'good' : 'care', `Checked: ${counts}. See all with: brokerage-mcp doctor`));
}

const whenNoTty = ({ client = 'HOST' }: FlagValues) =>
  `init needs a terminal to ask questions; in a script: init --yes --client ${client}`;

/** Returns undefined when nothing was changed. */
async function connect(deps: {
  readonly flags: FlagValues;
  readonly terminal: ProcessContext;
  readonly place: Platform;
  readonly tty: Tty | undefined;
  readonly say: (line: string, tone?: Tone) => void;
}) {
  const { flags, terminal, place, tty, say } = deps;
  const configDir = configDirOf(terminal);
  const launch = resolveLaunchCommand(terminal, flags);
  const chosen =
    flags.client === undefined && tty ? await promptHosts(tty, place) : parseHostFlags(flags.client, place);
  const answers = chosen && (tty ? await promptOptions(tty, flags, configDir) : optionsFromFlags(flags, configDir));
  const ignored = tty ? undefined : describeIgnoredEnvironment(flags, terminal.env);
  if (ignored !== undefined) terminal.warn(`brokerage-mcp: ${ignored}`);
  const existing = Object.assign({}, ...(chosen ?? []).map((host) => findRestrictions(host, place)));
  const profile = answers && (tty ? await promptProfile(tty, flags, existing) : profileFromFlags(flags));
  if (!chosen || !answers || !profile) return cancelSetup(say);

  const choice = validateSetup(answers, profile.flags, terminal);
  const build = (kept: FlagValues) => buildEntry({ ...choice, flags: { ...kept, ...choice.flags } }, launch);
  const config = planConfig(configDir, choice);
  const plans = chosen.map((host) => planToAdd(host, place, { chosen: profile.chosen, build }));
  // Of several entries, the first one that changes.
  const kept = plans.find(isChange)?.kept ?? {};
  const entryFlags: FlagValues = { ...kept, ...choice.flags, env: choice.environment };
  const isNew = config.text !== config.file.text || answers.typed !== undefined || plans.some(isChange);
  const setup: Setup = { configDir, config, plans, answers };
  showSetup(say, setup, build);
  const failed = plans.some(({ work }) => work instanceof HostFileError);
  if (plans.every(({ work }) => work instanceof HostFileError)) return cancelSetup(say);
  if (!isNew) {
    say('Already set up as chosen; nothing was changed.');
    return { answers, profile, plans, entryFlags, failed, wrote: false };
  }
  if (tty && !(await confirm(tty, 'Write this? Type yes: '))) return cancelSetup(say);
  const written = writeSetup(setup, say, terminal.warn);
  return { answers, profile, plans, entryFlags, failed: !written || failed, wrote: true };
}

const onlyDrafts = (done: { readonly profile: Profile; readonly plans: readonly HostPlan[] }): boolean =>
  isDraftOnly(done.profile.flags) || done.plans.some(({ kept }) => isDraftOnly(kept));

function cancelSetup(say: (line: string) => void): undefined {
  say('Nothing was changed.');
}

function sayGoodbye(say: (line: string) => void, liveSteps: readonly string[], onlyDrafts: boolean): void {
  if (liveSteps.length > 0) {
    say('');
    say(`Live orders need ${countOf(liveSteps.length, 'more step')}, which init does not do:`);
    for (const [index, step] of liveSteps.entries()) say(`  ${index + 1}. ${step}`);
  }
  if (onlyDrafts) {
    say('');
    say('The assistant drafts orders and cannot send them. To send a draft, run in a terminal:');
    say('  brokerage-mcp drafts             which drafts there are');
    say('  brokerage-mcp drafts submit ID   shows its orders, and sends them');
  }
  say('');
  say('Ask your assistant:');
  say('  What do I own, and what is it worth?');
  say('  What did dividends bring in the last year?');
  say('  Draft a limit order for three shares and show me what it would cost.');
}

// The steps to live orders that an owner has not done yet.

const enroll = 'brokerage-mcp enroll, in a terminal: a passphrase, the approval method, the limits';
const liveTrading = 'BROKER_LIVE_TRADING=true in the server’s environment, or "liveTrading": true in config.json';

/** `flags` are those of the server. A step counts as not done where the settings or the store cannot be read. */
async function listLiveSteps(
  flags: Readonly<Record<string, string>>,
  terminal: ProcessContext,
): Promise<readonly string[]> {
  // The server of a host does not get the variables of this shell.
  const context = createDoctorContext(flags, { ...terminal, env: { ...terminal.env, BROKER_LIVE_TRADING: undefined } });
  try {
    const { config, place } = context;
    const hasStore = config !== undefined && ('stateUrl' in place || existsSync(storeFile(place.stateDir)));
    const enrolment = hasStore
      ? await context.parts().journal.read(readEnrolment).catch(orElse('init', undefined))
      : undefined;
    return [...(enrolment ? [] : [enroll]), ...(config?.liveTrading ? [] : [liveTrading])];
  } finally {
    await context.close();
  }
}
