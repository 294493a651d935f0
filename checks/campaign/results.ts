/** What was tried and its results, by scenario. */
export interface Line {
  trials: number;
  processes: number;
  readonly outcomes: Map<string, number>;
  readonly violations: string[];
  readonly skipped: string[];
  ms: number;
  /** A mutant's: nothing waits for what its mistake has made impossible. */
  isHasty: boolean;
}

export interface Tally {
  readonly lines: ReadonlyMap<string, Line>;
  line(scenario: string): Line;
  readonly violations: number;
}

export function createTally(): Tally {
  const lines = new Map<string, Line>();
  return {
    lines,
    line: (scenario) => {
      let line = lines.get(scenario);
      if (!line) {
        line = { trials: 0, processes: 0, outcomes: new Map(), violations: [], skipped: [], ms: 0, isHasty: false };
        lines.set(scenario, line);
      }
      return line;
    },
    get violations() {
      return [...lines.values()].reduce((sum, { violations }) => sum + violations.length, 0);
    },
  };
}
