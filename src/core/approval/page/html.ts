/** Builds HTML in which every inserted text is cleaned and escaped, unless this folder built it. */
import { createHtmlTemplate, type Markup } from '../../text/html-template.ts';
import { removeUnseen } from '../../text/sanitize-text.ts';

/** Markup that needs no escaping. */
export type Html = Markup;

const maxTextLength = 500;

/** Returns text from outside as one line without invisible characters. */
export function sanitizeText(text: string): string {
  const characters = [...removeUnseen(text).replace(/\s+/g, ' ').trim()];
  return characters.length > maxTextLength
    ? `${characters.slice(0, maxTextLength - 1).join('')}…`
    : characters.join('');
}

/** Markup written by hand, for constants of this folder only. */
export const unsafeRaw = (markup: string): Html => ({ markup });

/** A template that cleans and escapes its texts. */
export const html = createHtmlTemplate(sanitizeText, String);
