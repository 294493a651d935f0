/** Colours of text in a terminal. Apart from it, because a start needs no terminal. */
import { styleText } from 'node:util';

/** What a text says, for its colour. */
export type Tone = 'good' | 'bad' | 'care' | 'dim' | 'strong';

/** Returns the text in the colour of a tone, or as it is where colours are off. */
export type Style = (tone: Tone, text: string) => string;

const formats = { good: 'green', bad: 'red', care: 'yellow', dim: 'dim', strong: 'bold' } as const;

/**
 * Whether to write colours to a stream. As in Node, `FORCE_COLOR` goes before `NO_COLOR` (no-color.org), and both go
 * before what the stream is.
 */
export function hasColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced = '', NO_COLOR: unwanted = '', TERM: kind } = env;
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return unwanted === '' && kind !== 'dumb' && isTerminal;
}

/** Returns the style of a stream. It colours text that is already free of control characters. */
export const createStyle = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Style =>
  hasColor(env, isTerminal)
    ? (tone, text) => styleText(formats[tone], text, { validateStream: false })
    : (_look, text) => text;
