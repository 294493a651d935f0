/**
 * Random cases are the same in each run, so that a failure is about the change in hand. `TEST_SEED=random` draws others,
 * and a number repeats those. Loaded before each file, by `setupFiles`.
 */
import fc from 'fast-check';

const { TEST_SEED = '20260115' } = process.env;
if (TEST_SEED !== 'random') fc.configureGlobal({ seed: Number(TEST_SEED) });
