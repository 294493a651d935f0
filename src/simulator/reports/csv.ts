/** Writes a report as CSV text, with the header variants that were observed. */
import Big from 'big.js';
import type { Quirks } from '../testing/quirks.ts';
import { taxColumns } from './report-rows.ts';

type Cells = Readonly<Record<string, string>>;

const paired = (column: string) => [column, `Currency (${column})`];

const columns = [
  ...['Action', 'Time', 'ISIN', 'Ticker', 'Name', 'Notes', 'ID', 'No. of shares'],
  ...paired('Price / share'),
  'Exchange rate',
  ...paired('Result'),
  ...paired('Total'),
  ...paired('Withholding tax'),
  ...Object.values(taxColumns).flatMap(paired),
];

export function writeCsv(rows: readonly Cells[], quirks: Quirks): string {
  let header: string[] = [...columns];
  let body: readonly Cells[] = rows;
  if (quirks.csvNotes !== 'middle') {
    header = header.filter((name) => name !== 'Notes' && name !== 'ID');
    if (quirks.csvNotes === 'last') header.push('Notes', 'ID');
  }
  if (quirks.csvTotals === 'inHeader') {
    header = header
      .filter((name) => name !== 'Currency (Total)')
      .map((name) => (name === 'Total' ? 'Total (GBP)' : name));
    body = body.map((cells) => ({ ...cells, 'Total (GBP)': cells.Total ?? '' }));
  } else if (quirks.csvTotals === 'grossNet') {
    const at = header.indexOf('Total');
    header.splice(at, 2, 'Gross Total', 'Taxes', 'Net Total', 'Currency (Net Total)');
    body = body.map(withGross);
  }
  const shown = header.map((name) => (name === 'Time' ? quirks.csvTimeHeader : name));
  const lines = [
    shown.map(quoted).join(','),
    ...body.map((cells) => header.map((name) => quoted(cells[name] ?? '')).join(',')),
  ];
  return `${quirks.csvBom ? '\uFEFF' : ''}${lines.join('\n')}\n`;
}

function withGross(cells: Cells): Cells {
  const net = new Big(cells.Total ?? '0');
  let taxes = new Big(0);
  for (const column of Object.values(taxColumns)) taxes = taxes.plus(cells[column] ?? '0');
  const isBuy = cells.Action?.endsWith('buy');
  return {
    ...cells,
    'Gross Total': (isBuy ? net.minus(taxes) : net.plus(taxes)).toFixed(2),
    Taxes: taxes.toFixed(2),
    'Net Total': net.toFixed(2),
    'Currency (Net Total)': 'GBP',
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
