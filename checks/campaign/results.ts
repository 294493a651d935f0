/** What was tried and its results, by scenario. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeRecord } from '../judge/parse-record.ts';
import type { RunRecord } from '../judge/record.ts';

export interface Line {
  trials: number;
  processes: number;
  readonly outcomes: Map<string, number>;
  readonly violations: string[];
  readonly skipped: string[];
  ms: number;
  /** A mutant's: nothing waits for what its mistake has made impossible. */
  isHasty: boolean;
  /** Keeps what was visible of a rig, where a folder for it was given. */
  keep(record: RunRecord): void;
}

export interface Tally {
  readonly lines: ReadonlyMap<string, Line>;
  line(scenario: string): Line;
  readonly violations: number;
}

/** With a folder, the record of every rig is written to it. */
export function createTally(folder?: string): Tally {
  const lines = new Map<string, Line>();
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  return {
    lines,
    line: (scenario) => {
      let line = lines.get(scenario);
      if (!line) {
        let kept = 0;
        const keep: Line['keep'] = (record) => {
          const name = `${scenario.replace(/\W+/g, '-')}-${++kept}.jsonl`;
          if (folder !== undefined) writeFileSync(join(folder, name), writeRecord(record));
        };
        const counts = { trials: 0, processes: 0, ms: 0, isHasty: false };
        line = { ...counts, outcomes: new Map(), violations: [], skipped: [], keep };
        lines.set(scenario, line);
      }
      return line;
    },
    get violations() {
      return [...lines.values()].reduce((sum, { violations }) => sum + violations.length, 0);
    },
  };
}
