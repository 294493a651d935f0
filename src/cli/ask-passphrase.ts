/** Asks the owner for the passphrase. */

import { readWrongPassphrases, type Security } from '../core/approval/enrollment/enrollment.ts';
import { passphraseRefusalText, wrongPassphrasesText } from '../core/approval/ticket-text.ts';
import type { PassphraseRefusal } from '../core/orders/intent/approval-port.ts';
import type { Journal } from '../core/orders/intent/journal-port.ts';
import { maxAttempts, type Tty } from '../core/process/terminal.ts';
import type { SayMoment } from '../core/text/format-moment.ts';

/**
 * Asks for the passphrase, and again after a wrong one, three times in all. Waits as long as the store asks for between
 * two attempts. `seen` is how many wrong passphrases were shown before; what is wrong here was seen too. Returns the
 * last result; undefined when nothing was typed.
 */
export async function askPassphrase<Result extends { readonly kind: string }>(
  tty: Tty,
  prompt: string,
  seen: number,
  check: (passphrase: string, seen: number) => Promise<Result | PassphraseRefusal>,
): Promise<Result | PassphraseRefusal | undefined> {
  let wrongHere = 0;
  for (let attempt = 1; ; attempt++) {
    const passphrase = await tty.askSecret(prompt);
    if (passphrase === '') return undefined;
    const result = await check(passphrase, seen + wrongHere);
    if (attempt === maxAttempts || !isDelayed(result)) return result;
    if (result.kind === 'wrong_passphrase') wrongHere++;
    tty.say(passphraseRefusalText(result), 'bad');
    if (!(await tty.wait(result.retryAfterSeconds * 1000))) return undefined;
  }
}

type Delayed = Extract<PassphraseRefusal, { readonly retryAfterSeconds: number }>;
const isDelayed = (result: { readonly kind: string }): result is Delayed => 'retryAfterSeconds' in result;

/** Asks for the passphrase; returns whether it was correct, and prints why not. */
export async function verifyPassphrase(
  tty: Tty,
  journal: Journal,
  security: Pick<Security, 'check'>,
  sayMoment: SayMoment,
): Promise<boolean> {
  const wrong = await journal.read(readWrongPassphrases);
  if (wrong) tty.say(wrongPassphrasesText(wrong, sayMoment), 'care');
  const checked = await askPassphrase(tty, 'Passphrase: ', wrong?.count ?? 0, (passphrase, seen) =>
    security.check(passphrase, 'terminal', seen),
  );
  if (checked?.kind === 'right') return true;
  tty.say(checked ? passphraseRefusalText(checked) : 'Nothing was entered.', checked && 'bad');
  return false;
}
