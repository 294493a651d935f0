/** Finds keys in a text: known values, and any plain value assigned to one of our variables. */

export interface PlainSecret {
  readonly line: number;
  /** The variable it is assigned to; undefined when a value in use was found. */
  readonly variable: string | undefined;
}

const assigned = /\b(BROKER_(?:API_KEY|API_SECRET|HTTP_TOKEN))["']?\s*[:=]\s*["']?([^\s"',;}\]]+)/g;

/** Whether a value is a placeholder of an example or of another program. */
const isPlaceholder = (value: string) =>
  value.length < 8 || /^[$<{%]|your|example|xxx|\.\.\.|…|change-?me|placeholder|secret-?here/i.test(value);

/** Minimum length: shorter values would match ordinary text. */
const minSecretLength = 8;

/** Returns every known value in the text, with its position. */
export const findKnown = (text: string, secrets: readonly string[]): PlainSecret[] =>
  secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap((secret) => {
      const at = text.indexOf(secret);
      return at < 0 ? [] : [{ line: lineAt(text, at), variable: undefined }];
    });

/** Returns every plain value assigned to one of our variables, with its position. */
export const findAssignments = (text: string): PlainSecret[] =>
  [...text.matchAll(assigned)]
    .filter(([, , value = '']) => !isPlaceholder(value))
    .map((match) => ({ line: lineAt(text, match.index), variable: match[1] }));

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length;
