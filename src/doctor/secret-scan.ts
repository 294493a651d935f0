/** Keys in a text: those that are known, and whatever is given to one of our variables in plain text. */

export interface PlainSecret {
  readonly line: number;
  /** The variable that it was given to; undefined when it is a value that is in use here. */
  readonly variable: string | undefined;
}

const assigned = /\b(BROKER_(?:API_KEY|API_SECRET|HTTP_TOKEN))["']?\s*[:=]\s*["']?([^\s"',;}\]]+)/g;

/** What stands for a value in an example, or where another program puts it in. */
const isPlaceholder = (value: string) =>
  value.length < 8 || /^[$<{%]|your|example|xxx|\.\.\.|…|change-?me|placeholder|secret-?here/i.test(value);

/** Shorter ones would be found in ordinary words. */
const minSecretLength = 8;

/** Every known value in it, by its place. */
export const findKnown = (text: string, secrets: readonly string[]): PlainSecret[] =>
  secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => {
      const at = text.indexOf(secret);
      return at < 0 ? [] : [{ line: lineAt(text, at), variable: undefined }];
    });

/** Every value that is written out behind one of our variables, by its place. */
export const findAssignments = (text: string): PlainSecret[] =>
  [...text.matchAll(assigned)]
    .filter(([, , value = '']) => !isPlaceholder(value))
    .map((match) => ({ line: lineAt(text, match.index), variable: match[1] }));

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length;
