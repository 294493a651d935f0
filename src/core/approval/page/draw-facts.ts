/** Draws facts, and the numbers in them, on a page. */

import type { Fact, Piece, Value } from '../ticket-facts.ts';
import { type Html, html } from './html.ts';

/** The facts as a list of labels and values. */
export const factList = (facts: readonly Fact[]): Html =>
  html`<dl>${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${drawValue(value)}</dd></div>`)}</dl>`;

/** A card with a title and its facts; `id` is that of the title. */
export const factCard = (id: string, title: string, facts: readonly Fact[]): Html => html`
<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${factList(facts)}
</section>`;

export const drawValue = (value: Value): Html =>
  html`${value.map((piece, index) => html`${index > 0 && html` `}${drawPiece(piece)}`)}`;

function drawPiece(piece: Piece): Html {
  if (typeof piece === 'string') return html`${piece}`;
  if ('figure' in piece) return html`<b>${groupThousands(piece.figure)}</b>`;
  if ('unknown' in piece) return html`<b class="unknown">${piece.unknown}</b>`;
  if ('flag' in piece) return html`<strong class="flag">${piece.flag}</strong>`;
  return 'code' in piece ? html`<code>${piece.code}</code>` : html`“<bdi>${piece.foreign}</bdi>”`;
}

/**
 * Separates thousands by a narrow space, because some readers take 1,000 for one thousand and others for one. Nothing
 * is rounded, and text that is not a plain decimal is returned unchanged.
 */
export function groupThousands(decimal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(decimal.trim());
  if (!match) return decimal;
  const [, sign = '', integer = '', fraction = ''] = match;
  return `${sign === '-' ? '−' : ''}${integer.replace(/\B(?=(\d{3})+$)/g, '\u202f')}${fraction}`;
}
