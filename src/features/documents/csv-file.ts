/** Writes a table as CSV that a spreadsheet can open without running what is in it. */

import { escapeFormulas } from '../history/reports/escape-formulas.ts';

/**
 * Returns the table with its header, if it has one, RFC 4180 quotes and LF line ends; null and undefined are empty cells.
 */
export function formatCsv(columns: readonly string[] | undefined, rows: readonly (readonly unknown[])[]): string {
  const lines = [...(columns ? [columns] : []), ...rows].map((cells) => cells.map(formatCell).join(','));
  return escapeFormulas(`${lines.map((line) => `${line}\n`).join('')}`).text;
}

function formatCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
