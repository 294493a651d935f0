/** What the settings read from outside the program; main.ts fills it from `process`. */
export interface RuntimeEnvironment {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** Returns the text of a file, or undefined when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  /** Whether a file exists, even if it cannot be read; when undefined, the disk is checked. */
  readonly hasFile?: (path: string) => boolean;
  /** Returns the permission bits of a file; undefined where they have no meaning (Windows). */
  readonly getFileMode: (path: string) => number | undefined;
}

/** Returns the same environment without files, to evaluate only flags and variables. */
export const withoutFiles = <Outside extends RuntimeEnvironment>(outside: Outside): Outside => ({
  ...outside,
  readFile: () => undefined,
  hasFile: () => false,
});
