/** The model of drafts that are sent (model.test.ts), on the databases that the program uses. */
// @module-tag process
// @module-tag slow
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databases } from '../../../core/store/support.ts';
import { takeLog } from '../../../support/faults.ts';
import { play } from './model/play.ts';
import { scenarios } from './model/steps.ts';

test.each(databases)(
  'every leg is sent at most once, in its turn, as approved, and never after a stop: %s',
  async (_, create) => {
    const playOnce = async (scenario: Parameters<typeof play>[0]) => {
      const engine = (await create()).open();
      await play(scenario, engine);
      await engine.close();
      expect(takeLog().filter(({ event }) => event === 'fault')).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(scenarios, playOnce), { numRuns: 10 });
  },
  600_000,
);
