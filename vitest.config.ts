import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    testTimeout: 30_000,
    // Two cores are the smallest machine this runs on; real processes are started by some tests.
    maxWorkers: 2,
  },
});
