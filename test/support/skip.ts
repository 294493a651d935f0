import { TestRunner } from 'vitest';

/** Ends the running test as skipped; the report of the run lists it with the reason. Outside a test it throws. */
export function skipTest(reason: string): never {
  TestRunner.getCurrentTest()?.context.skip(reason);
  throw new Error(reason);
}
