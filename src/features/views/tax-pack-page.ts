/** The page of a tax pack: its remarks and every table, with the names of the CSV files that have the same rows. */
import { html, type Markup } from '../../core/text/html-template.ts';
import { type Fields, readFrame, toFields, toList, toRows, toText } from './model/read-answer.ts';
import { buildPage } from './page.ts';
import { humanize } from './render/draw-any-result.ts';
import { type FormatOptions, formatTimestamp } from './render/format-values.ts';
import { type Figure, figures, section, table } from './render/section.ts';

export interface TaxPackContent extends FormatOptions {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** The result with remarks, checks and `sections` (name, title, note, columns, rows). */
  readonly answer: object;
  /** Why the pack is incomplete, as a sentence; undefined when it is complete. */
  readonly incomplete?: string | undefined;
}

/** Returns one HTML document that loads nothing and works without its script. */
export function buildTaxPackPage({ title, madeAt, answer, incomplete, ...look }: TaxPackContent): string {
  const body = toFields(answer);
  const frame = readFrame(body);
  const main = html`<header><h1>${title}</h1><p class="soft">Made ${formatTimestamp(madeAt, look)}</p></header>
${incomplete !== undefined && html`<p class="say" role="status"><span class="badge care">not complete</span> ${incomplete}</p>`}
${section({ id: 'remarks', title: 'Remarks', frame, body: html`` }, look)}
${toList(body.sections).map((part) => drawSection(toFields(part)))}`;
  return buildPage({ title, look: 'report', main, styles: ['report'] });
}

function drawSection(part: Fields): Markup {
  const title = toText(part.title) ?? 'Table';
  const rows = toRows(part);
  const columns = toList(part.columns).flatMap((name) => toText(name) ?? []);
  const note = toText(part.note);
  return html`<section><div class="head"><h2>${title}</h2><span class="soft">${toText(part.name) ?? ''}.csv</span></div>
${note !== undefined && html`<p class="say">${note}</p>`}
${figures(toList(part.figures).flatMap((pair) => readFigure(toList(pair))))}
${
  rows.length === 0
    ? html`<p class="say">Nothing in this year.</p>`
    : html`<div class="wide" tabindex="0" role="region" aria-label="${title}">${table(
        title,
        columns.map((name) => ({
          label: humanize(name),
          text: (row: Fields) => toText(row[name]) ?? '',
          isNumber: rows.every((row) => /^(-?\d+(\.\d+)?)?$/.test(toText(row[name]) ?? '')),
        })),
        rows,
      )}</div>`
}
</section>`;
}

function readFigure([name, amount]: readonly unknown[]): Figure[] {
  const [term, text] = [toText(name), toText(amount)];
  return term !== undefined && text !== undefined ? [[term, text]] : [];
}
