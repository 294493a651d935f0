/** Markup whose inserted texts are escaped, except markup made by this template. */

export interface Markup {
  readonly markup: string;
}

type Piece = Markup | string | number | undefined | false | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds markup. `undefined` and `false` insert nothing, lists are joined. Attributes need double quotes, because only
 * these are safe with the escaping.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return { markup: strings.reduce((sum, text, index) => sum + written(pieces[index - 1]) + text) };
}

function written(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  // A screen shows no more than two decimals of a pixel.
  if (typeof piece === 'number') return String(Math.round(piece * 100) / 100);
  if (typeof piece === 'string') return piece.replace(/[&<>"']/g, (sign) => entities[sign] as string);
  return 'markup' in piece ? piece.markup : piece.map(written).join('');
}
