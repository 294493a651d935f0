/** Markup whose inserted texts are escaped, except markup that a template made. */

export interface Markup {
  readonly markup: string;
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

/** Builds markup: `undefined` and `false` insert nothing, lists are joined. Attributes need double quotes. */
export type HtmlTemplate = (strings: TemplateStringsArray, ...pieces: readonly Piece[]) => Markup;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Creates a template; `prepareText` and `formatNumber` run before a text is escaped and a number is inserted. */
export function createHtmlTemplate(
  prepareText: (text: string) => string,
  formatNumber: (value: number) => string,
): HtmlTemplate {
  const toMarkup = (piece: Piece): string => {
    if (piece === undefined || piece === false) return '';
    if (typeof piece === 'number') return formatNumber(piece);
    if (typeof piece === 'string') return prepareText(piece).replace(/[&<>"']/g, (sign) => entities[sign] as string);
    return 'markup' in piece ? piece.markup : piece.map(toMarkup).join('');
  };
  return (strings, ...pieces) => ({
    markup: strings.reduce((sum, text, index) => sum + toMarkup(pieces[index - 1]) + text),
  });
}

/** The template of the views. A screen shows no more than two decimals of a pixel. */
export const html = createHtmlTemplate(
  (text) => text,
  (value) => String(Math.round(value * 100) / 100),
);
