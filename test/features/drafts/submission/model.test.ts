/**
 * A model of drafts that are sent: whatever the broker, the owner, the clock, the store and the programs do, each leg is
 * sent at most once, in its turn, as it was approved, and never after a stop. The databases themselves:
 * model-databases.test.ts.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeLog } from '../../../support/faults.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';
import { runs } from '../../../support/runs.ts';
import { play } from './model/play.ts';
import { scenarios } from './model/steps.ts';

test('every leg is sent at most once, in its turn, as approved, and never after a stop', async () => {
  const playOnce = async (scenario: Parameters<typeof play>[0]) => {
    const engine = await createMemoryEngine();
    try {
      await play(scenario, engine);
    } finally {
      await engine.close();
    }
    expect(takeLog().filter(({ event }) => event === 'fault')).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(scenarios, playOnce), { numRuns: runs(160) });
});
