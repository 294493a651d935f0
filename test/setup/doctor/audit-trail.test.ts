import { expect, test } from 'vitest';
import type { DoctorContext } from '../../../src/setup/doctor/context.ts';
import { checkAuditTrail } from '../../../src/setup/doctor/trading-checks.ts';

const withRows = (rows: number) =>
  ({
    parts: () => ({ services: { audit: { verify: async () => ({ holds: true, rows }) } } }),
  }) as unknown as DoctorContext;

test.each([
  [0, '0 records'],
  [1, '1 record'],
  [2, '2 records'],
])('an audit trail of %d is counted as %s', async (rows, count) => {
  const [finding] = await checkAuditTrail(withRows(rows));
  expect(finding).toMatchObject({ level: 'ok', says: `${count}, the chain is intact.` });
});
