/** What is known of the histories of several accounts is what is known of each of them. */
import { expect, test } from 'vitest';
import type { GainsDeps } from '../../../../src/features/gains/gains-deps.ts';
import { joinCoverage } from '../../../../src/features/gains/tools/pooled-accounts.ts';
import type { Coverage } from '../../../../src/features/history/history-port.ts';

const of = (name: string) => ({ config: { account: { name } } }) as GainsDeps;
const join = (one: Coverage, two: Coverage) =>
  joinCoverage([
    { of: of('one'), coverage: one },
    { of: of('two'), coverage: two },
  ]);
const read = { from: null, to: '2026-01-02', complete: true, rows: 3 } as const;

test('complete where both are, with the rows of both, until the earlier end', () => {
  expect(join(read, { ...read, to: '2026-01-01', rows: 4 })).toEqual({
    ...{ from: null, to: '2026-01-01', complete: true, rows: 7 },
  });
});

test('not complete where one is not, whose reasons, wait and error are named, from the later start', () => {
  const error = { code: 'rate_limited', message: 'Too many requests.', next: 'Wait.' } as const;
  const part = { from: '2025-05-01', to: '2026-01-03', complete: false, rows: 1, reading: true, nextPageInSeconds: 9 };
  for (const joined of [
    join(read, { ...part, missing: ['Old rows.'], error }),
    join({ ...part, missing: ['Old rows.'], error }, read),
  ])
    expect(joined).toMatchObject({
      ...{ from: '2025-05-01', to: '2026-01-02', complete: false, rows: 4, reading: true, nextPageInSeconds: 9, error },
      missing: [expect.stringMatching(/^(one|two): Old rows\.$/)],
    });
});

test('without a start and an end where nothing was read of one', () => {
  expect(join(read, { complete: false, rows: 0 })).toEqual({ complete: false, rows: 3 });
});
