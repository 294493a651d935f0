/** Writes a report as CSV text, with the header variants that were observed. */
import Big from 'big.js';
import type { Quirks } from '../testing/quirks.ts';
import { conversionColumns, taxColumns } from './report-rows.ts';

type Cells = Readonly<Record<string, string>>;

const paired = (column: string) => [column, `Currency (${column})`];

const total = paired('Total');
const columns = [
  ...['Action', 'Time', 'ISIN', 'Ticker', 'Name', 'Notes', 'ID', 'No. of shares'],
  ...paired('Price / share'),
  'Exchange rate',
  ...paired('Result'),
  ...total,
  ...paired('Withholding tax'),
  ...Object.values(taxColumns).flatMap(paired),
  ...conversionColumns.flatMap(paired),
];

/** The amounts of a file that has a gross total; the net total is at the end. */
const grossColumns = columns.flatMap((name) =>
  name === 'Total' ? paired('Gross Total') : total.includes(name) ? [] : name,
);

/** Writes the rows with the columns that at least one of them fills. `Action` and `Time` are always present. */
export function writeCsv(rows: readonly Cells[], quirks: Quirks): string {
  let header: readonly string[] = columns;
  let body = rows;
  if (quirks.csvTotals === 'inHeader') {
    const inHeader = `Total (${rows[0]?.['Currency (Total)'] ?? ''})`;
    header = columns.filter((name) => name !== 'Currency (Total)').map((name) => (name === 'Total' ? inHeader : name));
    body = rows.map((cells) => ({ ...cells, [inHeader]: cells.Total ?? '' }));
  } else if (quirks.csvTotals === 'gross') {
    header = grossColumns;
    body = rows.map(withGross);
  } else if (quirks.csvTotals === 'grossNet') {
    header = [...grossColumns, ...paired('Taxes'), ...paired('Net Total')];
    body = rows.map(withGross);
  }
  if (quirks.csvNotes !== 'middle') {
    header = header.filter((name) => name !== 'Notes' && name !== 'ID');
    if (quirks.csvNotes === 'last') header = [...header, 'Notes', 'ID'];
  }
  const filled = new Set(body.flatMap((cells) => Object.keys(cells).filter((name) => cells[name] !== '')));
  const shown = header.filter((name) => name === 'Action' || name === 'Time' || filled.has(name));
  const lines = [
    shown.map((name) => quoted(name === 'Time' ? quirks.csvTimeHeader : name)).join(','),
    ...body.map((cells) => shown.map((name) => quoted(cells[name] ?? '')).join(',')),
  ];
  return `${quirks.csvBom ? '\uFEFF' : ''}${lines.join('\n')}\n`;
}

/** Adds the amount before charges, and the charges as one sum. A conversion has no total. */
function withGross(cells: Cells): Cells {
  if (cells.Total === undefined) return cells;
  const net = new Big(cells.Total);
  let taxes = new Big(0);
  for (const column of Object.values(taxColumns)) taxes = taxes.plus(cells[column] ?? '0');
  const isBuy = cells.Action?.endsWith('buy');
  const currency = cells['Currency (Total)'] ?? '';
  return {
    ...cells,
    'Gross Total': (isBuy ? net.minus(taxes) : net.plus(taxes)).toFixed(2),
    'Currency (Gross Total)': currency,
    Taxes: taxes.toFixed(2),
    'Currency (Taxes)': currency,
    'Net Total': net.toFixed(2),
    'Currency (Net Total)': currency,
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
