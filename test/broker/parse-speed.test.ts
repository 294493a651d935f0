import { describe, expect, it } from 'vitest';
import { readData } from '../../src/broker/understand.ts';
import { endpoints } from '../../src/catalogue/index.ts';

describe('15,000 instruments', () => {
  it('are parsed without holding up everything else for long', () => {
    const text = JSON.stringify(
      Array.from({ length: 15_000 }, (_, n) => ({
        ticker: `SYM${n}_US_EQ`,
        type: 'STOCK',
        workingScheduleId: 56,
        isin: `US${1e9 + n}`,
        currencyCode: 'USD',
        name: `Some company number ${n} Incorporated plc`,
        shortName: `SYM${n}`,
        maxOpenQuantity: 12_345.67 + n,
        addedOn: '2018-07-12T07:10:11.000+03:00',
        extendedHours: true,
      })),
    );
    const times = [0, 1].map(() => {
      const startedAt = performance.now();
      expect(readData({ endpoint: endpoints.listInstruments }, text)).toHaveLength(15_000);
      return performance.now() - startedAt;
    });
    // Measured around 150 ms; the room is for a busy machine.
    expect(Math.min(...times)).toBeLessThan(1_000);
  });
});
