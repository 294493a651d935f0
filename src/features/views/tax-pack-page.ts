/** The page of a tax pack: every table and the remarks. */

import { nameFile } from '../../core/text/environment-labels.ts';
import { defaultLocale } from '../../core/text/format-money.ts';
import { html } from '../../core/text/html-template.ts';
import { type Fields, readFrame, toFields, toList, toRows, toText } from './model/read-answer.ts';
import { buildPage } from './page.ts';
import { drawPackSection, isBehind, isForForm, sayFormsYear } from './render/draw-pack-section.ts';
import type { FormatOptions } from './render/format-values.ts';
import { drawPackRows, packLists, sayEmpty } from './render/pack-lists.ts';
import { pageHead, sayIncomplete, section } from './render/section.ts';

export interface TaxPackContent extends FormatOptions {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** The result with remarks, checks and `sections` (name, title, note, columns, rows). */
  readonly answer: object;
  /** Why the pack is incomplete, as a sentence; undefined when it is complete. */
  readonly incomplete?: string | undefined;
  /** What names the withheld taxes that are unknown, as a sentence; undefined where all are known. */
  readonly taxStep?: string | undefined;
}

/** Returns one HTML document that loads nothing and works without its script. */
export function buildTaxPackPage({ title, madeAt, answer, incomplete, taxStep, ...options }: TaxPackContent): string {
  const body = toFields(answer);
  const frame = readFrame(body);
  // A tax year spans two calendar years, so every day has its year.
  const look: FormatOptions = { ...options, locale: options.locale ?? defaultLocale };
  const all = toList(body.sections).map(toFields);
  const sections = all.filter((part) => toRows(part).length > 0);
  const goesFirst = ({ name }: Fields) => isForForm(String(name));
  const draw = (parts: readonly Fields[]) =>
    parts.map((part) => drawPackSection(part, { ...body, taxStep }, look, packLists));
  const main = html`${pageHead(title, madeAt, frame, look)}
${sayIncomplete(incomplete)}
${sayFormsYear(toText(body.taxYear))}
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
