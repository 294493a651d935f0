/** What became of the forms of a host that asked for an approval. It is kept with the approval, so every reader can say it. */
import { sanitizeText } from '../../text/sanitize-text.ts';

export interface FormRecord {
  /** How many forms were sent to a host. */
  readonly sent: number;
  /** How the last one came back without an approval; undefined while none has. */
  readonly last?: 'closed' | 'empty' | 'wrong' | undefined;
  /** What is wrong with what was typed, in one sentence for the caller. */
  readonly problem?: string | undefined;
}

/** A person who mistypes is asked once more. */
export const maxForms = 2;

/** The record after another form was sent. */
export const withFormSent = (form: FormRecord | undefined): FormRecord => ({ sent: (form?.sent ?? 0) + 1 });

/** What was typed into a field, short enough to be shown; undefined for an empty one, as a host returns automatically. */
export function readTyped(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return sanitizeText(text, 20);
}

/** What is wrong with what was typed: for the person, in the next form, and for the caller, in the result. */
export const sayTyped = (what: string): { readonly toPerson: string; readonly toCaller: string } => ({
  toPerson: `You ${what}`,
  toCaller: `The person ${what}`,
});

/**
 * Where a person can approve after the form of a host: what is known of the form, and the way that is left. `what` is
 * what the form asks for, and `inTerminal` the sentence that names the command.
 */
export function describeForm(form: FormRecord | undefined, what: string, inTerminal: string): string {
  const otherwise = `if a passphrase is enrolled, ${inTerminal}.`;
  if (!form) return `No form was sent to the host; ${otherwise}`;
  const unseen = `a person may not have seen it. Otherwise, ${otherwise}`;
  if (form.last === 'closed') return `The host closed the form; ${unseen}`;
  if (form.last === 'empty') return `The host returned the form without ${what}; ${unseen}`;
  if (form.last === 'wrong') return `${form.problem ?? 'The form was filled in wrongly.'} To approve, ${otherwise}`;
  return `A form that asks for ${what} was sent to the host, which has not returned it. If no form is seen: ${otherwise}`;
}
