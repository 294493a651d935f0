/** When a caller who waits for a long history hears of the import, and how long each way takes. */
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/core/endpoints/index.ts';
import { describeImport } from '../../../src/features/history/coverage-notes.ts';
import type { Coverage } from '../../../src/features/history/history-port.ts';
import { toolCall } from '../../core/tools/tool-call.ts';

const long = { complete: false, reading: true, rows: 100 } as Coverage;

/** A server that offers the import. Of orders, five pages a minute are allowed; of reports, two in half a minute. */
const hint = (progress: object | undefined, coverages: readonly Coverage[], config: object = {}) =>
  describeImport(
    toolCall({
      config: { readOnly: false, toolsets: ['exports'], ...config },
      historyImport: { progress: async () => progress },
      getLimit: async (endpoint: unknown) => {
        if (endpoint === endpoints.listHistoricalOrders) return { requests: 5, periodMs: 60_000, freeInMs: 7_000 };
        if (endpoint === endpoints.requestReport) return { requests: 2, periodMs: 30_000, freeInMs: 9_000 };
        throw new Error('No other limit is read.');
      },
    }),
    ...coverages,
  );

const short = { ...long, rows: 99 };
const whole = { ...long, complete: true };

test('the time of each way follows from its rate limit', async () => {
  // A thousand rows are twenty pages, of which five a minute are read.
  expect(await hint(undefined, [short, long])).toBe(
    'Pages take about 240 s per 1000 rows; import_history takes about 15 s per year, through reports.',
  );
});

test('an import that runs says how far it is', async () => {
  const running = { way: 'reports', isRunning: true, years: { ready: 2, expected: 5 } };
  expect(await hint(running, [long])).toBe('import_history is running: it has read 2 of about 5 years.');
});

test.each([
  ['a history of fewer rows', undefined, [short], {}],
  ['a history that is whole', undefined, [whole], {}],
  ['a history that nothing reads', undefined, [{ ...long, reading: false }], {}],
  ['a service that refuses reports', { way: 'pages', isRunning: true, years: {} }, [long], {}],
  ['a read-only server', undefined, [long], { readOnly: true }],
  ['a server without the tool', undefined, [long], { toolsets: ['analytics'] }],
])('%s has no such hint', async (_, progress, coverages, config) => {
  expect(await hint(progress, coverages as Coverage[], config)).toBeUndefined();
});
