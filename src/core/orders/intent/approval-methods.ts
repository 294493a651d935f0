import { sanitizeText } from '../../text/sanitize-text.ts';

/** The ways in which a person can approve. */
export const approvalMethods = ['page', 'terminal', 'elicitation'] as const;
export type ApprovalMethod = (typeof approvalMethods)[number];
/** A channel on which the owner types the passphrase to approve. */
export type PassphraseChannel = Exclude<ApprovalMethod, 'elicitation'>;
/** A place where the owner types the passphrase and wrong ones lock it; a terminal never locks. `web` is the login of clients. */
export type LockingChannel = Exclude<PassphraseChannel, 'terminal'> | 'web';
export const lockingPlaces: Readonly<Record<LockingChannel, string>> = {
  page: 'approval page',
  web: 'login page on the web',
};
export const lockingChannels = Object.keys(lockingPlaces) as LockingChannel[];

interface MethodFacts {
  /** An approval by one method counts where another one is required that is no stricter. */
  readonly strictness: number;
  /** Whether it takes the owner’s passphrase, from a person who sees what this program shows. */
  readonly needsPassphrase: boolean;
  /** What a host can open for its person; undefined where it can open nothing. */
  readonly hostOpens: 'page' | 'form' | undefined;
}

/** Everything in which the methods differ. `none`: orders need no approval, which is never so in live. */
export const methodFacts: Readonly<Record<ApprovalMethod | 'none', MethodFacts>> = {
  none: { strictness: 0, needsPassphrase: false, hostOpens: undefined },
  elicitation: { strictness: 1, needsPassphrase: false, hostOpens: 'form' },
  page: { strictness: 2, needsPassphrase: true, hostOpens: 'page' },
  terminal: { strictness: 3, needsPassphrase: true, hostOpens: undefined },
};

/** Whether a host decided with a form, which it can also do without showing it to a person. */
export const isByForm = (method: ApprovalMethod | 'none' | undefined): boolean =>
  method !== undefined && methodFacts[method].hostOpens === 'form';

// What became of the forms of a host that asked for an approval. It is kept with the approval, so every reader can say it.

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

interface ApprovalWay {
  /** Of the page; undefined where it does not run. */
  readonly address: string | undefined;
  readonly form: FormRecord | undefined;
  /** Whether the caller shows the form. */
  readonly canAsk: boolean | undefined;
  /** What is approved, what a form asks for, and the command. */
  readonly words: Readonly<Record<'what' | 'asked' | 'command', string>>;
}

/** How a person can approve, in a sentence for the caller. */
export function describeWay(method: ApprovalMethod, { address, form, canAsk, words }: ApprovalWay): string {
  const { what, asked, command } = words;
  const run = `run "brokerage-mcp ${command}" in a terminal`;
  const inTerminal = `the owner must ${run}`;
  const ways: Record<ApprovalMethod, string> = {
    page: address
      ? `The owner must open the address${address.startsWith('https:') ? '' : ' on this machine'}, or ${run} (in a container: in the terminal).`
      : `The approval page is not available: ${inTerminal}.`,
    terminal: `To approve ${what}, ${inTerminal}.`,
    elicitation: canAsk ? `The form asks for ${asked}.` : describeForm(form, asked, inTerminal),
  };
  return ways[method];
}

/**
 * Where a person can approve after the form of a host: what is known of the form, and the way that is left. `what` is
 * what the form asks for, and `inTerminal` the sentence that names the command.
 */
export function describeForm(form: FormRecord | undefined, what: string, inTerminal: string): string {
  const otherwise = `if a passphrase is enrolled, ${inTerminal}.`;
  if (!form) return `No form was sent to the host; ${otherwise}`;
  const unseen = `a person may not have seen it. Otherwise, ${otherwise}`;
  const returned: Record<NonNullable<FormRecord['last']>, string> = {
    closed: `The host closed the form; ${unseen}`,
    empty: `The host returned the form without ${what}; ${unseen}`,
    wrong: `${form.problem ?? 'The form was filled in wrongly.'} To approve, ${otherwise}`,
  };
  return form.last
    ? returned[form.last]
    : `A form that asks for ${what} was sent to the host, which has not returned it. If no form is seen: ${otherwise}`;
}
