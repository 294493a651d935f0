/**
 * Determines which passphrases are too easy to guess for approving real orders. Pure; its messages repeat nothing
 * of the passphrase.
 */

export interface Weakness {
  readonly code: 'blank' | 'short' | 'known' | 'repeated' | 'common';
  /** One sentence with the problem, and what to do instead. */
  readonly message: string;
}

/** In characters, without blanks at both ends. */
export const minPassphraseLength = 10;

/** The minimum length when everything that attackers try first counts as one character. */
const minUnguessable = 7;
/** A shared piece of this length with a key is not a coincidence. */
const minKnownLength = 8;
const minDistinct = 5;

const advice = 'Choose four or more unrelated words.';
const weak = (code: Weakness['code'], sentence: string): Weakness => ({
  code,
  message: `${sentence} ${advice}`,
});

/**
 * Returns why a passphrase must not be enrolled, or undefined. `secrets` are keys and tokens of this program;
 * `names` are terms that others associate with the owner, such as the user name.
 */
export function findWeakness(
  passphrase: string,
  known: { readonly secrets: readonly string[]; readonly names: readonly string[] },
): Weakness | undefined {
  const text = passphrase.normalize('NFKC').toLowerCase().trim();
  const characters = [...text];
  if (/^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text)) return weak('blank', 'The passphrase is blank.');
  if (known.secrets.some((secret) => isMadeFrom(passphrase, secret)))
    return weak('known', 'The passphrase is, or contains, a key, a secret or a token of this program.');
  if (characters.length < minPassphraseLength)
    return weak('short', `The passphrase has fewer than ${minPassphraseLength} characters.`);
  if (new Set(characters).size < minDistinct || isRepetition(text))
    return weak('repeated', 'The passphrase repeats a few characters.');
  if (isFamous(text) || unguessableLength(text, known.names) < minUnguessable)
    return weak('common', 'The passphrase consists of words, numbers or keyboard rows that attackers try first.');
  return undefined;
}

/**
 * Whether a passphrase is made from a secret: as it is, reversed, in Base64, or with characters between its
 * letters.
 */
function isMadeFrom(passphrase: string, secret: string): boolean {
  const typed = [passphrase, Buffer.from(passphrase, 'base64').toString('latin1')].map(toLetters);
  const bare = toLetters(secret);
  const backwards = [...bare].reverse().join('');
  return typed.some((text) => sharesText(text, bare) || sharesText(text, backwards));
}

/** Letters and digits only, in lower case; the text itself if it has none. */
function toLetters(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().trim();
  return plain.replace(/[^\p{L}\p{N}]/gu, '') || plain;
}

const sharesText = (text: string, secret: string): boolean =>
  secret.length > 0 &&
  (text === secret ||
    (secret.length >= minKnownLength && text.includes(secret)) ||
    (text.length >= minKnownLength && secret.includes(text)));

/** Whether one piece repeats throughout; the last repetition may be incomplete. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++)
    if (text.slice(period) === text.slice(0, -period)) return true;
  return false;
}

/** Ignores separators: "correct horse …" and "correct-horse-…" are one phrase. */
function isFamous(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  return famousPhrases.some((phrase) => letters.includes(phrase) && letters.length - phrase.length < minUnguessable);
}

/** Length of the text when common words, years, and rows of keys or letters count as one character each. */
function unguessableLength(text: string, names: readonly string[]): number {
  const plain = [...text].map((letter) => lookalikes[letter] ?? letter).join('');
  const words = [...commonWords, ...names.map((name) => name.toLowerCase())].filter((word) => word.length >= 3);
  const longestFirst = words.sort((a, b) => b.length - a.length);
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    const word = longestFirst.find((one) => plain.startsWith(one, at) || text.startsWith(one, at));
    at += Math.max(word?.length ?? 0, rowLength(text, at), /(19|20)\d\d/.test(text.slice(at, at + 4)) ? 4 : 1);
  }
  return length;
}

/** Length of the row (abcd, 4321, qwer) or repetition that starts at `at`; 1 when there is none. */
function rowLength(text: string, at: number): number {
  const reach = (isNext: (a: string, b: string) => boolean) => {
    let end = at + 1;
    while (end < text.length && isNext(text[end - 1] as string, text[end] as string)) end++;
    return end - at;
  };
  const follows = (a: string, b: string) =>
    b.charCodeAt(0) - a.charCodeAt(0) === 1 || rows.some((row) => row.includes(a + b));
  const longest = Math.max(
    reach(follows),
    reach((a, b) => follows(b, a)),
    reach((a, b) => a === b),
  );
  return longest >= 3 ? longest : 1;
}

const rows = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
  '1234567890',
  '1qaz',
  '2wsx',
  '3edc',
  '4rfv',
  '5tgb',
  '6yhn',
  '!@#$%^&*()',
  'qazwsxedcrfvtgbyhnujm',
];

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** The most common words in lists of leaked passwords, and words of this program's subject. */
const commonWords = `password passwort passphrase passcode passwd contrasena motdepasse letmein welcome willkommen hello
monkey dragon football baseball basketball soccer hockey master login admin administrator root user guest test testing
iloveyou loveyou princess sunshine shadow superman batman pokemon starwars trustno trustnoone secret changeme default
whatever freedom michael jordan jennifer charlie andrew daniel thomas robert matthew ashley jessica hunter killer
mustang harley ranger pepper ginger cheese cookie chocolate banana summer winter spring autumn august october november
december january february monday friday sunday computer internet google facebook apple samsung microsoft windows
money dollar cash bitcoin crypto invest investing investor investment trade trader trading broker brokerage stock stocks
share shares market account bank banking portfolio order orders approve approval live demo sandbox mcp claude codex
mypassword opensesame asdf qwer zxcv love baby angel family please thanks forever always`.split(/\s/);

const famousPhrases = [
  'correcthorsebatterystaple',
  'thequickbrownfoxjumpsoverthelazydog',
  'thequickbrownfox',
  'tobeornottobe',
  'maytheforcebewithyou',
  'openthedoorplease',
  'mypassphraseis',
];
