/** Writes a table as CSV that a spreadsheet can open without running what is in it. */

import { escapeFormulas } from '../history/reports/escape-formulas.ts';

/** Returns the table with a header, RFC 4180 quotes and LF line ends; null and undefined are empty cells. */
export function formatCsv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const lines = [columns, ...rows].map((cells) => cells.map(formatCell).join(','));
  return escapeFormulas(`${lines.join('\n')}\n`).text;
}

function formatCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
