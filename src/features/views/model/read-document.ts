/** Reads the result of save_report: what was written, and the part of it that the picture shows. */

import { type Envelope, type Fields, readFrame, toDecimal, toFields, toList, toText, toTexts } from './read-answer.ts';

/** The sum of a part of the report that only the file shows. */
export interface PartSum {
  readonly currency: string | undefined;
  readonly amount: string | undefined;
}

export interface DocumentModel {
  readonly frame: Envelope;
  readonly title: string | undefined;
  /** What the file is, as a sentence. */
  readonly about: string | undefined;
  readonly path: string;
  /** A file: address, which a host may open. */
  readonly uri: string | undefined;
  /** The figures of a report, as the results of its tools without their rows; undefined for another document. */
  readonly returns: unknown;
  readonly portfolio: unknown;
  readonly dividends: PartSum;
  readonly gains: PartSum;
  readonly costs: PartSum;
  /** The tables with the sums of a tax pack, in `currency`, and its year. */
  readonly sections: readonly Fields[];
  readonly taxYear: string | undefined;
  readonly currency: string | undefined;
}

export function readDocument(answer: Fields): DocumentModel | undefined {
  const path = toText(answer.path);
  if (path === undefined) return undefined;
  // The body of a result with its picture (src/core/mcp/view-data.ts), which a host may drop.
  const picture = toFields(answer.document);
  const sums = toFields(picture.sums);
  return {
    // What the file lacks is said by the tool; the other remarks of a frame are about figures.
    frame: { ...readFrame(answer), notes: toTexts(answer.lacks) },
    title: toText(picture.title),
    about: toText(picture.about) ?? toText(answer.message),
    path,
    uri: /^file:/.test(toText(answer.uri) ?? '') ? toText(answer.uri) : undefined,
    returns: picture.returns,
    portfolio: picture.portfolio,
    dividends: readSum(toFields(sums.dividends)),
    gains: readSum(toFields(sums.gains)),
    costs: readSum(toFields(sums.costs)),
    sections: toList(picture.sections).map(toFields),
    taxYear: toText(picture.taxYear),
    currency: toText(picture.currency),
  };
}

const readSum = (part: Fields): PartSum => ({
  currency: toText(part.currency),
  amount: toDecimal(part.total) ?? toDecimal(toFields(part.totals).gain),
});
