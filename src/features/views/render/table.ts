/** Tables with the same figures as the drawings; clicking a column head sorts them. */
import { html, type Markup } from '../../../core/text/html-template.ts';

export interface Column<Row> {
  readonly label: string;
  readonly text: (row: Row) => string;
  /** The sort key when it differs from the text: an exact decimal or an ISO date. Empty means unknown. */
  readonly key?: (row: Row) => string | undefined;
  readonly isNumber?: boolean;
  /** In the card layout, this cell takes a full line. */
  readonly isLong?: boolean;
  readonly look?: (row: Row) => string;
  /** A second, smaller line. */
  readonly small?: (row: Row) => string | undefined;
}

/**
 * Builds a table whose first column names the row. It has explicit roles: a narrow page shows rows as cards, and CSS
 * that does so makes browsers drop the table roles.
 */
export const table = <Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup => html`
<table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
  ({ label, isNumber }) =>
    html`<th role="columnheader" scope="col" class="${isNumber === true && 'number'}"><button type="button">${label}</button></th>`,
)}</tr></thead>
<tbody role="rowgroup">${rows.map(
  (row) => html`<tr role="row">${columns.map((column, index) => cell(column, row, index === 0))}</tr>`,
)}</tbody></table>`;

function cell<Row>(column: Column<Row>, row: Row, isHead: boolean): Markup {
  const text = column.text(row);
  const key = column.key ? (column.key(row) ?? '') : text;
  const small = column.small?.(row);
  const classes = [column.isNumber && 'number', column.isLong && 'long', column.look?.(row)].filter(Boolean).join(' ');
  const inside = html`${text}${small !== undefined && html`<small>${small}</small>`}`;
  return isHead
    ? html`<th role="rowheader" scope="row" data-key="${key}">${inside}</th>`
    : html`<td role="cell" class="${classes}" data-label="${column.label}" data-key="${key}">${inside}</td>`;
}

/** Wraps the figures of a drawing as a table that can be opened, for readers who prefer it. */
export const asTable = (content: Markup): Markup =>
  html`<details><summary>Show as a table</summary>${content}</details>`;
