/** What a scenario gets, and when it has done enough. */
import type { Program } from './build.ts';
import type { Site, SiteOptions } from './fixture.ts';
import type { Random } from './random.ts';
import type { Line } from './results.ts';

export interface Bench {
  readonly program: Program;
  readonly site: Site;
  readonly random: Random;
  readonly line: Line;
  /** How many trials are wanted. */
  readonly trials: number;
  /** The short form leaves out trials that take long and show the same. */
  readonly short: boolean;
  /** A mutant ends at its first violation. */
  readonly stopAtViolation: boolean;
  /** Another account beside this one, for slow trials that can run concurrently. */
  newSite(options?: SiteOptions): Promise<Site>;
}

export interface Scenario {
  readonly name: string;
  /** Its part of all trials, relative to the others. */
  readonly weight: number;
  /** Trials of the short form. */
  readonly short: number;
  /** The least trials of the full form, because there are that many cases. */
  readonly least?: number;
  /** The most trials, because they take long. */
  readonly most?: number;
  /** It is about the file of a state folder. */
  readonly ofFiles?: boolean;
  /** It waits more than it works. */
  readonly waits?: boolean;
  readonly run: (bench: Bench) => Promise<void>;
}

/** Returns a function that makes scenarios of one kind, which differ in what happens in a round. */
export const createScenarios =
  <Round>(run: (bench: Bench, round: Round) => Promise<void>) =>
  (name: string, weight: number, short: number, round: Round): Scenario => ({
    name,
    weight,
    short,
    run: (bench) => run(bench, round),
  });

export const isDone = ({ line, trials, stopAtViolation }: Bench): boolean =>
  line.trials >= trials || (stopAtViolation && line.violations.length > 0);

export const skip = ({ line }: Bench, reason: string): void => void line.skipped.push(reason);
