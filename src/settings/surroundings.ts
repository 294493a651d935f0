/** What the program is given from outside; main.ts fills it from `process`. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The text of a file, or undefined when there is none. */
  readonly readFile: (path: string) => string | undefined;
  /** The permission bits of a file, or undefined where they mean nothing (Windows). */
  readonly modeOf: (path: string) => number | undefined;
}
