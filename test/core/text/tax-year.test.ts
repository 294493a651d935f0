import { expect, test } from 'vitest';
import { findTaxYear } from '../../../src/core/text/dates.ts';

const find = (when: string, zone: string) => {
  const { name, since, until } = findTaxYear(Date.parse(when), zone);
  return [name, new Date(since).toISOString(), new Date(until).toISOString()];
};

test.each([
  // 6 April begins at 23:00 UTC on the 5th, in summer time.
  ['2026-04-05T22:59:59Z', 'Europe/London', ['2025/26', '2025-04-05T23:00:00.000Z', '2026-04-05T23:00:00.000Z']],
  ['2026-04-05T23:00:00Z', 'Europe/London', ['2026/27', '2026-04-05T23:00:00.000Z', '2027-04-05T23:00:00.000Z']],
  ['1999-12-31T12:00:00Z', 'Europe/London', ['1999/00', '1999-04-05T23:00:00.000Z', '2000-04-05T23:00:00.000Z']],
  ['2025-12-31T22:59:59Z', 'Europe/Berlin', ['2025', '2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z']],
  ['2025-12-31T23:00:00Z', 'Europe/Berlin', ['2026', '2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z']],
  ['2026-01-01T04:59:00Z', 'America/New_York', ['2025', '2025-01-01T05:00:00.000Z', '2026-01-01T05:00:00.000Z']],
  ['2025-12-31T10:00:00Z', 'Pacific/Kiritimati', ['2026', '2025-12-31T10:00:00.000Z', '2026-12-31T10:00:00.000Z']],
  ['2026-01-01T00:00:00Z', 'Asia/Kolkata', ['2026', '2025-12-31T18:30:00.000Z', '2026-12-31T18:30:00.000Z']],
])('%s in %s', (when, zone, expected) => {
  expect(find(when, zone)).toEqual(expected);
});
