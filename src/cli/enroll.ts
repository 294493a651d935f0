import { createCredentials } from '../app/credentials.ts';
import type { Security } from '../core/approval/enrollment/enrollment.ts';
import { findWeakness, minPassphraseLength } from '../core/approval/enrollment/weak-passphrase.ts';
import { serviceName } from '../core/broker/service-url.ts';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import { keepStoreMark } from '../core/orders/halt/store-change.ts';
import { type ApprovalMethod, approvalMethods } from '../core/orders/intent/approval-methods.ts';
import type { Journal } from '../core/orders/intent/journal-port.ts';
import { describeLimits, effectiveLimits, type RiskLimits } from '../core/orders/intent/risk-limits.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { askForWord, maxAttempts, type Tty } from '../core/process/terminal.ts';
import type { Config } from '../core/settings/config.ts';
import { createSayMoment, type SayMoment } from '../core/text/format-moment.ts';
import { listSecrets } from '../setup/doctor/known-secrets.ts';
import { verifyPassphrase } from './ask-passphrase.ts';
import type { Command, FlagValues } from './command.ts';
import { requireOwnersTty, withNamedStore } from './with-app.ts';

/**
 * Enrols the passphrase that approves orders, the approval method, and the limits of live. The enrolled limits are the
 * loosest for live: variables and files can only make them stricter later.
 */
export const enrollCommand: Command = ({ flags }, terminal) =>
  withNamedStore(flags, terminal, async ({ config, journal, security, settings }) => {
    const { approval: wanted } = config;
    if (wanted === 'none') throw new UsageError(`--approval is none; enroll accepts ${approvalMethods.join(', ')}.`);
    const tty = requireOwnersTty(terminal, 'enroll');
    try {
      const sayMoment = createSayMoment(terminal.zone(), systemClock);
      const listed = () => listKnownWords(config, flags, terminal);
      const enrolling = { journal, security, config, wanted, listKnownWords: listed, sayMoment };
      if (!(await enrolOwner(tty, enrolling))) return 1;
      // A store that changed is confirmed by resume alone. Without the mark, the enrolment holds all the same.
      if (settings.witness)
        await keepStoreMark(journal, settings.witness).catch((error: Error) => tty.say(error.message, 'bad'));
      tty.say('Enrolled. Live orders also need BROKER_LIVE_TRADING=true in the server’s environment.', 'good');
      return 0;
    } finally {
      tty.close();
    }
  });

/** Returns strings that others know or can read, which a passphrase must therefore not contain. */
async function listKnownWords(
  config: Config,
  flags: FlagValues,
  terminal: ProcessContext,
): Promise<Parameters<typeof findWeakness>[1]> {
  // The command that prints the key may be locked now; the other checks still apply.
  const pair =
    config.credentials && (await createCredentials(config.credentials).keyPair().catch(orElse('a command', undefined)));
  const { USER, LOGNAME, USERNAME } = terminal.env;
  return {
    secrets: [...listSecrets(flags, terminal), pair?.key, pair?.secret].filter((secret) => secret !== undefined),
    names: [USER, LOGNAME, USERNAME].filter((name) => name !== undefined),
  };
}

// What `enroll` does at the terminal: the old passphrase, the method and the limits, and a new passphrase.

type KnownWords = Parameters<typeof findWeakness>[1];

interface Enrolling {
  readonly journal: Journal;
  readonly security: Security;
  readonly config: Pick<Config, 'limits' | 'environment' | 'baseUrl'>;
  /** The approval method that was asked for; undefined for the one that is enrolled. */
  readonly wanted: ApprovalMethod | undefined;
  /** What a passphrase must not contain. */
  readonly listKnownWords: () => Promise<KnownWords>;
  readonly sayMoment: SayMoment;
}

/** Returns whether the owner enrolled. */
export async function enrolOwner(
  tty: Tty,
  { journal, security, config, wanted, listKnownWords, sayMoment }: Enrolling,
): Promise<boolean> {
  const before = await security.enrolment();
  if (before) {
    tty.say('A passphrase is already enrolled; you need it to change anything.');
    if (!(await verifyPassphrase(tty, journal, security, sayMoment))) return false;
  }
  const approval: ApprovalMethod = wanted ?? before?.approval ?? 'page';
  // Limits may be loosened only here, because here a person sees them.
  const limits = { ...effectiveLimits('live', {}, before?.limits), ...config.limits };
  show(tty, approval, limits);
  showAddress(tty, config, before?.origin);
  const isAgreed = await askForWord(tty, 'Type yes to enrol this: ', 'yes');
  const passphrase = isAgreed ? await choosePassphrase(tty, await listKnownWords()) : undefined;
  if (passphrase === undefined) {
    tty.say('Nothing was changed.');
    return false;
  }
  const ended = await security.enrol({ passphrase, approval, limits });
  if (ended.clients > 0)
    tty.say(
      `The passphrase is another one, so all web clients were logged out (${ended.clients}). Connect those that you use again.`,
    );
  if (ended.passkeys > 0)
    tty.say(
      `The passphrase is another one, so the passkeys ended (${ended.passkeys}). brokerage-mcp passkey add makes new ones.`,
    );
  return true;
}

function show(tty: Tty, approval: ApprovalMethod, limits: RiskLimits): void {
  tty.say('');
  tty.say(`Live orders will be approved by: ${approval} (one of ${approvalMethods.join(', ')}; --approval changes it)`);
  tty.say('The limits of live orders:');
  for (const sentence of describeLimits(limits)) tty.say(`  ${sentence}`);
  tty.say('');
}

/** The address that the key is sent to from now on, and the one before. */
function showAddress(tty: Tty, { environment, baseUrl }: Enrolling['config'], before: string | undefined): void {
  if (environment !== 'live' || baseUrl === undefined) return;
  const address = serviceName(baseUrl);
  tty.say(`The key may be sent to this address only: ${address}`);
  if (before !== undefined && before !== address) tty.say(`Until now it was another address: ${before}`);
  tty.say('');
}

/** Asks for a new passphrase, and again while it is weak or not repeated. Undefined when the user leaves. */
async function choosePassphrase(tty: Tty, known: KnownWords): Promise<string | undefined> {
  const ask = (prompt: string) => tty.promptOrCancel(prompt, { echo: false });
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const passphrase = await ask(`New passphrase (at least ${minPassphraseLength} characters): `);
    if (passphrase === undefined) return undefined;
    const weakness = findWeakness(passphrase, known);
    if (weakness) {
      tty.say(weakness.message, 'bad');
      continue;
    }
    const repeated = await ask('Again: ');
    if (repeated === undefined || repeated === passphrase) return repeated;
    tty.say('The two passphrases differ.', 'bad');
  }
  return undefined;
}
