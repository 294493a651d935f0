/** The page of a tax pack: every table and the remarks. */

import { countOf } from '../../core/text/count-of.ts';
import { nameFile } from '../../core/text/environment-labels.ts';
import { defaultLocale } from '../../core/text/format-money.ts';
import { html, type Markup } from '../../core/text/html-template.ts';
import { type Fields, readFrame, toFields, toList, toRows, toText } from './model/read-answer.ts';
import { buildPage } from './page.ts';
import { drawPackSection, isBehind, isForForm, sayFormsYear } from './render/draw-pack-section.ts';
import type { FormatOptions } from './render/format-values.ts';
import { drawPackRows, packLists, sayEmpty } from './render/pack-lists.ts';
import { pageHead, section } from './render/section.ts';

export interface TaxPackContent extends FormatOptions {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** The result with remarks, checks and `sections` (name, title, note, columns, rows). */
  readonly answer: object;
  /** What a reader must know of every figure, as a sentence. */
  readonly remark?: string | undefined;
  /** What the pack lacks, as sentences; empty when it is complete. */
  readonly lacks?: readonly string[] | undefined;
}

/** What a reader must know before the figures: what they lack, and what to compare them with. */
const sayFirst = (lacks: readonly string[], checks: readonly string[]): Markup | false =>
  lacks.length + checks.length > 0 &&
  html`<div class="cares" role="status"><p><b>${lacks.length > 0 ? 'Not complete.' : 'Check first.'}</b></p><ul class="gaps">${[...lacks, ...checks].map((text) => html`<li>${text}</li>`)}</ul></div>`;

/** The remarks name the funds. */
const sayFunds = (count: unknown): readonly string[] =>
  typeof count === 'number' && count > 0
    ? [
        `${countOf(count, 'offshore fund')} ${count === 1 ? 'has' : 'have'} no line in eri.csv for this year. Their excess reportable income is missing from every figure here.`,
      ]
    : [];

/** Returns one HTML document that loads nothing and works without its script. */
export function buildTaxPackPage({ title, madeAt, answer, remark, lacks = [], ...options }: TaxPackContent): string {
  const body = toFields(answer);
  const frame = readFrame(body);
  // A tax year spans two calendar years, so every day has its year.
  const look: FormatOptions = { ...options, locale: options.locale ?? defaultLocale };
  const all = toList(body.sections).map(toFields);
  const sections = all.filter((part) => toRows(part).length > 0);
  const goesFirst = ({ name }: Fields) => isForForm(String(name));
  const draw = (parts: readonly Fields[]) => parts.map((part) => drawPackSection(part, body, look, packLists));
  const main = html`${pageHead(title, madeAt, frame, look, remark)}
${sayFirst(lacks, [...sayFunds(body.fundsWithoutIncome), ...sayFormsYear(toText(body.taxYear))])}
${
  // The first page has what a person copies into the forms; the rows behind it follow, and what to know of all of it.
  draw(sections.filter(goesFirst))
}
${draw(sections.filter((part) => !goesFirst(part) && !isBehind(part)))}
${sayEmpty(all.filter((part) => !sections.includes(part)))}
${drawPackRows(sections.filter(isBehind), body, look)}
${section({ id: 'remarks', title: 'Remarks', frame, body: html`` }, { ...look, isPart: true })}`;
  return buildPage({
    title: nameFile(title, frame.simulated),
    look: 'report',
    main,
    styles: ['report', 'paper', 'tax'],
  });
}
