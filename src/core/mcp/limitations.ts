/**
 * What no tool can do: the broker's interface does not have it, or a command of a person has it. A caller need not find
 * out by trying.
 */
export const limitations = [
  { code: 'quotes', reason: 'There are no market quotes; the last price is known only of what is held or was traded.' },
  { code: 'daily_change', reason: 'There are no prices of earlier days, so today’s gain and movers are unknown.' },
  {
    code: 'past_values',
    reason: 'What the account was worth in the past is known only for days on which this server stored its value.',
  },
  { code: 'sectors', reason: 'The sectors of companies and funds are unknown.' },
  { code: 'benchmarks', reason: 'There are no indexes or benchmarks to compare with.' },
  { code: 'news', reason: 'There are no news, ratings or fundamentals.' },
  { code: 'alerts', reason: 'There are no alerts and no watchlists; a limit or stop order can wait for a price.' },
  { code: 'withdrawable_cash', reason: 'Cash to trade is known; how much of it can be withdrawn is not.' },
  { code: 'account_type', reason: 'The type of account (ISA, invest, pension) and its allowance are unknown.' },
  { code: 'dividend_dates', reason: 'Announced dividends and ex-dates are unknown; projections use past payments.' },
  { code: 'fund_holdings', reason: 'What a fund holds is unknown: a fund counts where it is registered.' },
  {
    code: 'recurring_plans',
    reason: 'No tool repeats a plan; a person adds one in a shell with "brokerage-mcp plans", which makes drafts.',
  },
  { code: 'report', reason: 'No tool writes a report; a person runs "brokerage-mcp report" in a shell.' },
  { code: 'tax_pack', reason: 'No tool writes the files of a UK tax year; a person runs "brokerage-mcp tax-pack".' },
] as const;
