/** Draws what save_report wrote: the first screen of a report, the sums of a tax pack, or the name of a file. */

import { html, type Markup } from '../../../core/text/html-template.ts';
import { toFields } from '../model/read-answer.ts';
import type { DocumentModel, PartSum } from '../model/read-document.ts';
import { readPortfolio } from '../model/read-portfolio.ts';
import { readReturns } from '../model/read-returns.ts';
import { drawAllocation } from './draw-allocation.ts';
import { drawPackSection, drawPackSums } from './draw-pack-section.ts';
import { drawReturns } from './draw-returns.ts';
import { type FormatOptions, formatMoney, formatSignedMoney } from './format-values.ts';
import { profitFigure } from './holdings.ts';
import { drawPart, type Figure, figures, section } from './section.ts';

export function drawDocument(model: DocumentModel, look: FormatOptions): Markup {
  const inside = { ...look, isPart: true };
  const { frame, title = 'Saved document', about, returns, portfolio, sections, currency } = model;
  const body = html`${file(model)}<p>${about}</p>`;
  const held = readPortfolio(toFields(portfolio));
  const sums = [
    held && profitFigure(held, inside),
    sum('Dividends', model.dividends, look),
    sum('Realised gains and losses', model.gains, look, formatSignedMoney),
    sum('Charges and fees', model.costs, look),
  ];
  return html`<div class="report">${section({ id: 'document', title, frame, body }, look)}
${drawPart('Returns', returns, readReturns, (read) => drawReturns(read, inside))}
${drawPart('Allocation', portfolio, readPortfolio, (read) => drawAllocation(read, inside))}
${sums.some(Boolean) && html`<section><h2>Also in the file</h2>${figures(sums)}</section>`}
${sections.length > 0 && html`<section><h2>The year in sum</h2>${drawPackSums(sections, { currency }, look)}</section>`}
${sections.map((part) => drawPackSection(part, { currency }, look))}</div>`;
}

/** The file, and what a person does with it. */
const file = ({ path, uri }: DocumentModel): Markup => html`<div class="file">
<div><strong>${path.split(/[\\/]/).at(-1)}</strong><code id="path">${path}</code></div>
<p>${uri !== undefined && html`<a class="act" href="${uri}">Open</a>`}<button class="act" type="button" id="copy">Copy path</button></p>
<p id="copied" role="status"></p></div>`;

const sum = (term: string, { amount, currency }: PartSum, look: FormatOptions, format = formatMoney): Figure | false =>
  amount !== undefined && [term, format(amount, currency, look)];
