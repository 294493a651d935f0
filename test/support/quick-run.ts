import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether a filter such as `--tagsFilter=!slow` leaves out the slow tests. */
    readonly isQuick: boolean;
  }
}

/** Lets a test try fewer random cases where the slow tests are left out. */
export const setup = ({ config, provide }: TestProject): void =>
  provide('isQuick', config.tagsFilter?.includes('!slow') ?? false);
