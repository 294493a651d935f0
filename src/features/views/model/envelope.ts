/** The fields that every result has. */
import { type Fields, toFields, toList, toText, toTexts, toTimestamp } from './fields.ts';

export interface Envelope {
  readonly environment: string | undefined;
  /** Invented by the simulator, not real data. */
  readonly simulated: boolean;
  /** Time of the service's data (ms since 1970). */
  readonly asOf: number | undefined;
  /** False when part of the data behind the result is missing. */
  readonly complete: boolean;
  /** Of a result with a part of the rows: `of` is the number of all, undefined when unknown. Undefined: it has all. */
  readonly cut: { readonly of: number | undefined } | undefined;
  /** What a reader must know to interpret the figures. */
  readonly notes: readonly string[];
}

const unread = 'Part of the data for this result is missing, so its figures can change.';

export function readFrame(answer: Fields): Envelope {
  const complete = answer.complete !== false;
  const note = toText(answer.note);
  return {
    environment: toText(answer.env),
    simulated: answer.simulated === true,
    asOf: toTimestamp(answer.asOf),
    complete,
    cut: readCut(answer),
    notes: [
      ...(note !== undefined ? [note] : complete ? [] : [unread]),
      ...toTexts(answer.remarks),
      ...describeMoreRemarks(answer),
      ...describeShortened(answer.shortened),
      ...readFailedChecks(answer.checks),
    ],
  };
}

function describeMoreRemarks({ remarks, remarksCount }: Fields): readonly string[] {
  const more = typeof remarksCount === 'number' ? remarksCount - toTexts(remarks).length : 0;
  return more > 0 ? [`Remarks that are not shown: ${more}.`] : [];
}

/** A result names the lists beside its rows that it shortens: `{ byTicker: '12 of 49' }`. */
const describeShortened = (shortened: unknown): readonly string[] =>
  Object.entries(toFields(shortened)).flatMap(([name, count]) =>
    typeof count === 'string' ? [`Shortened: ${toWords(name)}, ${count}.`] : [],
  );

const toWords = (name: string): string =>
  name.replace(/[._]/g, ' ').replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);

function readCut({ rowCount, nextCursor }: Fields): Envelope['cut'] {
  const of = typeof rowCount === 'number' ? rowCount : undefined;
  return of === undefined && nextCursor === undefined ? undefined : { of };
}

/** Describes the checks that do not hold. A result lists all of its checks, or counts those that hold. */
export function readFailedChecks(checks: unknown): readonly string[] {
  const listed = toList(checks).map(toFields);
  return [...listed.filter(({ holds }) => holds === false), ...toList(toFields(checks).failed).map(toFields)].map(
    ({ name, residual, note }) =>
      [`A check failed: ${toText(name) ?? 'unnamed'}, off by ${toText(residual) ?? 'an unknown amount'}.`, toText(note)]
        .filter((part) => part !== undefined)
        .join(' '),
  );
}
