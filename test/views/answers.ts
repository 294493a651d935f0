/** Results as the tools return them, for drawing. Companies and figures are invented. */

const frame = { env: 'sandbox', simulated: true, asOf: '2026-03-16T09:30:00.000Z' };

const columns = [
  'group',
  'name',
  'value',
  'weightPercent',
  'cost',
  'profitLoss',
  'profitLossPercent',
  'fxImpact',
  'positions',
];

export type HoldingRow = readonly [
  ticker: string,
  name: string,
  value: string,
  weight: string,
  cost: string,
  result: string,
  percent: string,
  fx: string,
];

export const holdings: readonly HoldingRow[] = [
  ['GEQWl_EQ', 'Global Equity Fund', '12840.55', '33.05', '10112.40', '2728.15', '26.98', '-41.20'],
  ['HLDN_US_EQ', 'Halden Energy', '6120.00', '15.75', '6690.12', '-570.12', '-8.52', '-88.07'],
  ['ORRN_US_EQ', 'Orrin Semiconductor', '5904.31', '15.20', '3120.00', '2784.31', '89.24', '12.66'],
  ['QBRAMl_EQ', 'Quarry & Bramble', '4210.90', '10.84', '4180.00', '30.90', '0.74', '0.00'],
  ['TRWF_US_EQ', 'Tarrow Foods', '2998.42', '7.72', '3050.75', '-52.33', '-1.72', '-30.11'],
  ['VMD_DE_EQ', 'Vermund Maschinen', '2102.00', '5.41', '2102.00', '0.00', '0.00', '4.45'],
  ['LUMO_US_EQ', 'Lumo Health', '1730.25', '4.45', '2604.10', '-873.85', '-33.56', '-21.00'],
  ['PELK_FR_EQ', 'Pelkin Luxe', '1544.08', '3.97', '1398.00', '146.08', '10.45', '2.10'],
  ['SABLl_EQ', 'Sable Rail', '812.60', '2.09', '1020.00', '-207.40', '-20.33', '0.00'],
  ['NIVA_US_EQ', 'Niva Robotics', '590.14', '1.52', '470.00', '120.14', '25.56', '-3.01'],
];

export const portfolioOf = (rows: readonly HoldingRow[], more: Record<string, unknown> = {}) => ({
  ...frame,
  currency: 'GBP',
  cash: '1204.77',
  totalValue: '40058.02',
  investedValue: '38853.25',
  profitLoss: '4105.88',
  concentration: { herfindahl: '0.1857', effectiveNumber: '5.39', largestWeightPercent: '33.05', largest: 'GEQWl_EQ' },
  complete: true,
  columns,
  rows: rows.map((row) => [...row, 1]),
  ...more,
});

export const portfolio = portfolioOf(holdings);

const paid = [
  ['2025-04', '18.20', 2],
  ['2025-05', '0.00', 0],
  ['2025-06', '64.75', 4],
  ['2025-07', '22.40', 2],
  ['2025-08', '9.15', 1],
  ['2025-09', '71.02', 5],
  ['2025-10', '18.20', 2],
  ['2025-11', '0.00', 0],
  ['2025-12', '83.64', 5],
  ['2026-01', '24.10', 2],
  ['2026-02', '11.35', 1],
  ['2026-03', '40.08', 3],
];

export const dividends = {
  ...frame,
  currency: 'GBP',
  total: '362.89',
  count: 27,
  trailingTwelveMonths: { amount: '362.89', from: '2025-03-16T09:30:00.000Z', to: '2026-03-16T09:30:00.000Z' },
  yieldOnCostPercent: '1.04',
  projection: {
    method: 'Each payment of the last twelve months repeats a year later, scaled by the quantity held now.',
    total: '371.50',
    columns: ['month', 'amount'],
    rows: [
      ['2026-04', '18.90'],
      ['2026-05', '0.00'],
      ['2026-06', '66.20'],
      ['2026-07', '22.40'],
      ['2026-08', '9.80'],
      ['2026-09', '73.00'],
    ],
  },
  complete: false,
  note: 'Dividends before 12 April 2025 are not read yet; sums can grow.',
  columns: ['month', 'amount', 'count'],
  rows: paid,
};

export const gains = {
  ...frame,
  method: 'uk_section_104',
  currency: 'GBP',
  taxYear: '2025/26',
  totals: { disposals: 5, proceeds: '6408.12', cost: '6012.40', gain: '395.72', gains: '812.30', losses: '416.58' },
  byTicker: {
    columns: ['ticker', 'disposals', 'proceeds', 'cost', 'gain'],
    rows: [
      ['HLDN_US_EQ', 2, '2510.00', '2926.58', '-416.58'],
      ['ORRN_US_EQ', 2, '3098.12', '2285.82', '812.30'],
      ['QBRAMl_EQ', 1, '800.00', '800.00', '0.00'],
    ],
  },
  excessReportableIncome: { total: '12.50', columns: ['ticker', 'amount'], rows: [['QBRAMl_EQ', '12.50']] },
  unmatched: [
    {
      at: '2025-06-20T12:00:00.000Z',
      ticker: 'NIVA_US_EQ',
      side: 'BUY',
      quantity: '5',
      code: 'original_cost_unknown',
      reason: 'Shares were transferred in, and what they cost originally is unknown.',
      next: 'brokerage-mcp cost-basis set --fill 9 --acquired YYYY-MM-DD --cost AMOUNT --currency GBP',
    },
  ],
  unmatchedCount: 1,
  complete: true,
  columns: ['soldOn', 'ticker', 'quantity', 'proceeds', 'cost', 'gain', 'rules'],
  rows: [
    ['2025-05-02', 'HLDN_US_EQ', '20', '1310.00', '1502.20', '-192.20', 'section_104 20'],
    ['2025-07-18', 'ORRN_US_EQ', '12.5', '1580.62', '1142.91', '437.71', 'same_day 2.5, section_104 10'],
    ['2025-10-06', 'QBRAMl_EQ', '100', '800.00', '800.00', '0.00', 'thirty_day 100'],
    ['2025-11-27', 'HLDN_US_EQ', '18', '1200.00', '1424.38', '-224.38', 'section_104 18'],
    ['2026-02-10', 'ORRN_US_EQ', '11', '1517.50', '1142.91', '374.59', 'thirty_day 1, section_104 10'],
  ],
};

export const ticket = {
  ...frame,
  env: 'live',
  simulated: undefined,
  outcome: 'pending_approval',
  intentId: '0f3c9a52b1d84e6f97a0c2d4e6f80135',
  message: 'The order is waiting for the approval of a human; nothing has been sent.',
  next: 'Ask the user to approve or reject it, then call get_order with this intentId. The order is sent automatically once approved.',
  request: {
    type: 'STOP_LIMIT',
    ticker: 'QBRAMl_EQ',
    side: 'BUY',
    quantity: '1250',
    stopPrice: '318.5',
    limitPrice: '320.25',
    timeValidity: 'GOOD_TILL_CANCEL',
  },
  instrument: { name: 'Quarry & Bramble', currency: 'GBX' },
  estimate: { value: '4003.13', worst: '4083.19', currency: 'GBP' },
  warnings: [
    'Prices of this instrument are in pence (GBX).',
    'The market is closed; it opens next (2026-03-17T08:00:00.000Z).',
  ],
  approval: {
    method: 'page',
    how: 'The owner must open the address on this machine, or run "brokerage-mcp approve" in a terminal (in a container: in the terminal).',
    address: 'http://127.0.0.1:41703/t/4Jc0x2T1',
    secondsLeft: 120,
    expiresAt: '2026-03-16T09:32:00.000Z',
  },
};

export const hostile = '<img src=x onerror=alert(1)>"\'&</script>';
