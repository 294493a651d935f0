/** Draws facts, and the numbers in them, on a page, as people who read British English write them. */

import { isPence } from '../../text/currency-units.ts';
import {
  defaultLocale,
  formatTicker,
  writeMoney,
  writeNumber,
  writePercent,
  writePounds,
} from '../../text/format-money.ts';
import {
  type Fact,
  hasSpace,
  inAccountCurrency,
  inUnknownCurrency,
  joinNote,
  type Piece,
  type Value,
} from '../ticket-facts.ts';
import { type Html, html } from './html.ts';

/** The facts as a list of labels and values. */
export const factList = (facts: readonly Fact[], look = ''): Html =>
  html`<dl${look && html` class="${look}"`}>${facts.map((fact) => html`<div><dt>${fact.label}</dt><dd>${drawValue(joinNote(fact))}</dd></div>`)}</dl>`;

/** The facts that a person decides by, large and side by side, each with its note below. */
export const figureList = (facts: readonly Fact[]): Html =>
  html`<dl class="figures">${facts.map(
    ({ label, value, note }) =>
      html`<div><dt>${label}</dt><dd>${drawValue(value)}</dd>${note && html`<dd class="note">${drawValue(note)}</dd>`}</div>`,
  )}</dl>`;

export const drawValue = (value: Value): Html =>
  html`${value.map((piece, index) => html`${hasSpace(piece, index) && html` `}${drawPiece(piece)}`)}`;

function drawPiece(piece: Piece): Html {
  if (typeof piece === 'string') return html`${piece}`;
  if ('figure' in piece) return html`<b>${drawNumber(piece.figure)}</b>`;
  if ('amount' in piece) return drawMoney(piece.amount, piece.currency, inAccountCurrency);
  if ('price' in piece)
    return html`${drawMoney(piece.price, piece.currency, inUnknownCurrency)}${
      isPence(piece.currency) && html` <span class="aside">(${writePounds(piece.price, defaultLocale)})</span>`
    }`;
  if ('percent' in piece) return html`<b>${writePercent(piece.percent, defaultLocale)}</b>`;
  if ('unknown' in piece) return html`<b class="unknown">${piece.unknown}</b>`;
  if ('flag' in piece) return html`<strong class="flag">${piece.flag}</strong>`;
  if ('ticker' in piece) return html`<bdi>${piece.name ?? formatTicker(piece.ticker)}</bdi>`;
  return 'code' in piece ? html`<code>${piece.code}</code>` : html`“<bdi>${piece.foreign}</bdi>”`;
}

const drawMoney = (decimal: string, currency: string | undefined, otherwise: string): Html =>
  html`<b>${writeMoney(decimal, currency, defaultLocale)}</b>${currency === undefined && html` ${otherwise}`}`;

/** A quantity or a count, with separated thousands; nothing is rounded. */
export const drawNumber = (decimal: string): string => writeNumber(decimal, defaultLocale);
