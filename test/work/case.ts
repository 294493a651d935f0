/**
 * Work whose cost must not grow faster than its size: a test counts its steps, and `npm run bench` measures its time.
 */
export interface WorkCase {
  /** Rows, characters or trades: two sizes to count at, the second eight times the first. */
  readonly counted: readonly [small: number, large: number];
  /** The largest that a user has, for the bench. */
  readonly full: number;
  /** Makes the input, which is not counted, and returns the work that is. */
  prepare(size: number): () => unknown;
}

export type WorkCases = Readonly<Record<string, WorkCase>>;
