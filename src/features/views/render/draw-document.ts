/** Draws what save_report wrote: the file as a card with its main figures, and the totals of a tax pack. */

import { html, type Markup } from '../../../core/text/html-template.ts';
import { toFields } from '../model/read-answer.ts';
import type { DocumentModel, PartSum } from '../model/read-document.ts';
import { readPortfolio } from '../model/read-portfolio.ts';
import { type ReturnsModel, readReturns } from '../model/read-returns.ts';
import { drawPackSection, drawPackSums } from './draw-pack-section.ts';
import { listMainFigures } from './draw-returns.ts';
import { drawSources } from './draw-sources.ts';
import { type FormatOptions, formatMoney, formatSignedMoney } from './format-values.ts';
import { profitFigure } from './holdings.ts';
import { type Figure, figures, hero, section } from './section.ts';

export function drawDocument(model: DocumentModel, look: FormatOptions): Markup {
  const { frame, title = 'Saved document', about, sections, taxYear, currency } = model;
  const held = readPortfolio(toFields(model.portfolio));
  const sums = [
    held && profitFigure(held, { ...look, isPart: true }),
    sum('Dividends', model.dividends, look),
    model.gains.amount !== undefined && gainFigure('Realised gains and losses', model.gains, look),
    sum('Charges and fees', model.costs, look),
  ];
  const read = readReturns(toFields(model.returns));
  const sources = read && drawSources(read, held, { ...look, isPart: true });
  const body = html`${file(model, sections.length > 0 ? drawPackSums(sections, { currency, taxYear }, look) : drawReportSums(read, look))}
<p class="soft">${about}</p>
${sources && sources.fields.length > 0 ? sources.drawn : sums.some(Boolean) && html`<h3>Also in the file</h3>${figures(sums)}`}`;
  return html`<div class="report">${section({ id: 'document', title, frame, body }, look)}
${sections.map((part) => drawPackSection(part, { currency }, look))}</div>`;
}

/** The value of the account, its gain and its return. */
function drawReportSums(read: ReturnsModel | undefined, look: FormatOptions): Markup | undefined {
  if (!read) return undefined;
  const { gain, value, rate } = listMainFigures(read, { ...look, isPart: true });
  return hero(value || gain, [value && gain && ([gain[0], gain[1], gain[2]] as const), rate]);
}

/** The file, and what a person does with it; its path appears when it is copied. */
const file = ({ path, uri }: DocumentModel, sums: Markup | undefined): Markup => html`<div class="file">
<p class="name">${path.split(/[\\/]/).at(-1)}</p>
<p>${uri !== undefined && html`<a class="act" href="${uri}">Open</a>`}<button class="act" type="button" id="copy">Copy path</button></p>
<p id="copied" role="status"></p><code id="path" hidden>${path}</code>${sums}</div>`;

const sum = (term: string, { amount, currency }: PartSum, look: FormatOptions): Figure | false =>
  amount !== undefined && [term, formatMoney(amount, currency, look)];

/** A gain has its sign and its colour. */
const gainFigure = (term: string, { amount, currency }: PartSum, look: FormatOptions): Figure => [
  term,
  formatSignedMoney(amount, currency, look),
  amount,
];
