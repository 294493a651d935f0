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
  /** What a reader must know to interpret the figures. */
  readonly notes: readonly string[];
}

const unread = 'Part of the data for this result is missing, so its figures can change.';
const cut = 'There are more rows than this result contains.';

export function readFrame(answer: Fields): Envelope {
  const complete = answer.complete !== false;
  const note = toText(answer.note);
  return {
    environment: toText(answer.env),
    simulated: answer.simulated === true,
    asOf: toTimestamp(answer.asOf),
    complete,
    notes: [
      ...(note !== undefined ? [note] : complete ? [] : [unread]),
      ...(answer.nextCursor === undefined ? [] : [cut]),
      ...toTexts(answer.remarks),
      ...failedChecks(answer.checks),
    ],
  };
}

function failedChecks(checks: unknown): readonly string[] {
  return toList(checks)
    .map(toFields)
    .filter(({ holds }) => holds === false)
    .map(({ name, residual, note }) =>
      [`A check failed: ${toText(name) ?? 'unnamed'}, off by ${toText(residual) ?? 'an unknown amount'}.`, toText(note)]
        .filter((part) => part !== undefined)
        .join(' '),
    );
}
