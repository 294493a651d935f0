/** What `enroll` does at the terminal: the old passphrase, the method and the limits, and a new passphrase. */

import type { Security } from '../core/approval/enrollment/enrollment.ts';
import { findWeakness, minPassphraseLength } from '../core/approval/enrollment/weak-passphrase.ts';
import { serviceName } from '../core/broker/service-url.ts';
import { type ApprovalMethod, approvalMethods } from '../core/orders/intent/approval-port.ts';
import { describeLimits } from '../core/orders/intent/limit-sentences.ts';
import type { Journal } from '../core/orders/intent/ports.ts';
import { effectiveLimits, type RiskLimits } from '../core/orders/intent/risk-limits.ts';
import { askForWord, maxAttempts, type Tty } from '../core/process/terminal.ts';
import type { Config } from '../core/settings/config.ts';
import type { SayMoment } from '../core/text/say-moment.ts';
import { verifyPassphrase } from './ask-passphrase.ts';

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
  await security.enrol({ passphrase, approval, limits });
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
