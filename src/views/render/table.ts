/** Tables with the same figures as the drawings, sortable by the heads of their columns. */
import { html, type Markup } from './html-template.ts';

export interface Column<Row> {
  readonly label: string;
  readonly text: (row: Row) => string;
  /** What rows are sorted by, when that is not the text: an exact decimal or an ISO date. Empty is unknown. */
  readonly key?: (row: Row) => string | undefined;
  readonly isNumber?: boolean;
  /** Where a row is shown as a card, this takes a line of its own. */
  readonly isLong?: boolean;
  readonly look?: (row: Row) => string;
  /** A second, quieter line. */
  readonly small?: (row: Row) => string | undefined;
}

/**
 * The first column names the row. The roles are written down because a narrow page shows rows as cards, and
 * browsers take a table for no table then.
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
  const classes = [column.isNumber && 'number', column.isLong && 'whole', column.look?.(row)].filter(Boolean).join(' ');
  const inside = html`${text}${small !== undefined && html`<small>${small}</small>`}`;
  return isHead
    ? html`<th role="rowheader" scope="row" data-key="${key}">${inside}</th>`
    : html`<td role="cell" class="${classes}" data-label="${column.label}" data-key="${key}">${inside}</td>`;
}

/** The same figures as a drawing, for whoever would rather read them. */
export const asTable = (content: Markup): Markup =>
  html`<details><summary>Show as a table</summary>${content}</details>`;
