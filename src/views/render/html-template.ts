/** Markup in which every text that is put in is escaped, unless it was made by this same template. */

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

/** `undefined` and `false` are nothing, lists are joined. Attributes must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return { markup: strings.reduce((sum, text, index) => sum + written(pieces[index - 1]) + text) };
}

function written(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  // Two decimals of a pixel are more than a screen shows.
  if (typeof piece === 'number') return String(Math.round(piece * 100) / 100);
  if (typeof piece === 'string') return piece.replace(/[&<>"']/g, (sign) => entities[sign] as string);
  return 'markup' in piece ? piece.markup : piece.map(written).join('');
}
