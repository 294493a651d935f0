/** What a result lacks, as sentences for a person. */
import { isErrorBody, readError } from './answer.ts';
import { type Envelope, readFailedChecks, readFrame } from './envelope.ts';
import { type Fields, toDecimal, toFields, toRows } from './fields.ts';

/** Returns a sentence for each thing that is missing or fails in a result; none for a complete one. */
export function listGaps(answer: unknown): readonly string[] {
  const body = toFields(answer);
  if (isErrorBody(body)) return [`Missing: ${readError(body).message}`];
  const { cut, notes } = readFrame(body);
  return [
    ...(body.complete === false ? notes.slice(0, 1) : []),
    ...(cut === undefined ? [] : [describeCut(toRows(body).length, cut, 'rows')]),
    ...describeUnmatched(body),
    ...readFailedChecks(body.checks),
  ];
}

/** `Showing 43 of 49 sales.` */
export const describeCut = (shown: number, { of }: NonNullable<Envelope['cut']>, what: string): string =>
  of === undefined ? `Showing ${shown} ${what}; there are more.` : `Showing ${shown} of ${of} ${what}.`;

function describeUnmatched({ unmatchedCount }: Fields): readonly string[] {
  const count = toDecimal(unmatchedCount) ?? '0';
  if (count === '0') return [];
  return [count === '1' ? 'One trade is in no figure.' : `${count} trades are in no figure.`];
}
