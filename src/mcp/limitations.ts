/** What no tool can return, because the broker's interface does not have it. A caller need not find out by trying. */
export const limitations = [
  { code: 'quotes', reason: 'There are no market quotes; the last price is known only of what is held or was traded.' },
  { code: 'daily_change', reason: 'There are no prices of earlier days, so today’s gain and movers are unknown.' },
  { code: 'benchmarks', reason: 'There are no indexes or benchmarks to compare with.' },
  { code: 'news', reason: 'There are no news, ratings or fundamentals.' },
  { code: 'alerts', reason: 'There are no alerts and no watchlists; a limit or stop order can wait for a price.' },
  { code: 'withdrawable_cash', reason: 'Cash to trade is known; how much of it can be withdrawn is not.' },
  { code: 'account_type', reason: 'The type of account (ISA, invest, pension) and its allowance are unknown.' },
  { code: 'dividend_dates', reason: 'Announced dividends and ex-dates are unknown; projections use past payments.' },
  { code: 'fund_holdings', reason: 'What a fund holds is unknown: a fund counts where it is registered.' },
] as const;
