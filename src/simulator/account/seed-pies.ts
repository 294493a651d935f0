import { dayMs } from '../../core/clock.ts';
import type { Ledger } from './ledger.ts';
import type { PieRecord } from './records.ts';

/** Returns two pies that own a part of the holdings. */
export function seedPies(ledger: Ledger, startedAt: number): PieRecord[] {
  const owned = (tickers: readonly string[], part: string) =>
    Object.fromEntries(
      tickers.flatMap((ticker) => {
        const quantity = ledger.holdings.get(ticker)?.quantity.times(part).round(4, 0);
        return quantity?.gt(0) ? [[ticker, quantity.toFixed()]] : [];
      }),
    );
  return [
    {
      id: 1_204_411,
      createdAt: startedAt - 700 * dayMs,
      name: 'Steady income',
      icon: 'Coins',
      goal: '5000',
      endDate: new Date(startedAt + 900 * dayMs).toISOString(),
      dividendCashAction: 'REINVEST',
      shares: { QDIVIl_EQ: '0.5', ZBONDl_EQ: '0.3', QBRAMl_EQ: '0.2' },
      holdings: owned(['QDIVIl_EQ', 'ZBONDl_EQ', 'QBRAMl_EQ'], '0.3'),
      cash: '25.40',
    },
    {
      id: 1_311_920,
      createdAt: startedAt - 410 * dayMs,
      name: 'World core',
      icon: 'Globe',
      dividendCashAction: 'TO_ACCOUNT_CASH',
      shares: { QWRLDl_EQ: '0.6', ZSANXl_EQ: '0.4' },
      holdings: owned(['QWRLDl_EQ', 'ZSANXl_EQ'], '0.25'),
      cash: '12.15',
    },
  ];
}
