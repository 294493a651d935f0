/** What the program is given from outside; main.ts fills it from `process`. */
export interface RuntimeEnvironment {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The text of a file, or undefined when there is none. */
  readonly readFile: (path: string) => string | undefined;
  /** Whether there is a file, also one that cannot be read; left out, the disk is asked. */
  readonly hasFile?: (path: string) => boolean;
  /** The permission bits of a file, or undefined where they mean nothing (Windows). */
  readonly getFileMode: (path: string) => number | undefined;
}

/** The same surroundings with no file in them, to judge flags and variables alone. */
export const withoutFiles = <Outside extends RuntimeEnvironment>(outside: Outside): Outside => ({
  ...outside,
  readFile: () => undefined,
  hasFile: () => false,
});
