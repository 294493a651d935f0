/** Shared by all drawings: heading, badges, notes, figures, and messages for a missing or failed result. */

import { countOf } from '../../../core/text/count-of.ts';
import { drawCommand } from '../../../core/text/draw-command.ts';
import { environmentLabels, simulatedName } from '../../../core/text/environment-labels.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { approvalSteps, lookUp } from '../../../core/text/outcome-sentences.ts';
import {
  describeCut,
  type Envelope,
  type ErrorResult,
  type Fields,
  isErrorBody,
  readError,
  toFields,
} from '../model/read-answer.ts';
import { type FormatOptions, formatDay, formatMoment, formatTimestamp, getSign } from './format-values.ts';

interface Section {
  /** Unique within the page. */
  readonly id: string;
  readonly title: string;
  readonly frame: Envelope;
  /** Of a result about orders: their environment, in place of the mark of simulated data. */
  readonly badge?: Markup | undefined;
  /** The rows that are drawn, and what one of them is, for a result that has a part of them. */
  readonly rows?: { readonly shown: number; readonly what: string };
  readonly body: Markup;
}

export function section({ id, title, frame, badge, rows, body }: Section, look: FormatOptions): Markup {
  const notes = [...(frame.cut && rows ? [describeCut(rows.shown, frame.cut, rows.what)] : []), ...frame.notes];
  const time = sayTime(frame, look);
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<div class="head"><h2 id="${id}-title">${title}</h2>
${badge ?? (frame.simulated && !look.isPart && html`<span class="badge">${simulatedName}</span>`)}
${!frame.complete && html`<span class="badge care">not complete</span>`}
${time !== undefined && html`<span class="soft">${time}</span>`}
</div>
${body}
${foldedNotes(
  notes.map((note) => sayNote(note, look)),
  !frame.complete,
)}
</section>`;
}

/** The head of a page that is kept: when it was made (ms), and once for all of its parts the kind of account and a remark. */
export function pageHead(title: string, madeAt: number, frame: Envelope, look: FormatOptions, remark?: string): Markup {
  const environment = frame.environment ?? (frame.simulated ? 'sandbox' : undefined);
  return html`<header><h1>${title}</h1><p class="soft">Made ${formatMoment(madeAt, look)}</p>${
    environment !== undefined &&
    html`<p class="soft account">${environmentBadge({ ...frame, environment })} ${environmentLabels(environment).look !== 'live' && environmentLabels(environment).meaning}</p>`
  }${remark !== undefined && html`<p class="soft">${remark}</p>`}</header>`;
}

/**
 * How a person approves what waits. The host opens a page of this computer; another address is only text, and the
 * command is folded where there is another way.
 */
export function approvalWays(
  { method, address }: { readonly method?: string | undefined; readonly address?: string | undefined },
  command: string,
): Markup {
  const step = lookUp(approvalSteps, method);
  if (step === undefined) return html`<p>Approve it in a terminal: ${drawCommand(command)}</p>`;
  const run = drawCommand(command);
  if (address === undefined) return html`<p class="way">${step}</p>${fold('In a terminal', html`<p>${run}</p>`)}`;
  return isOfThisComputer(address)
    ? html`<p class="way">${step}</p><p><a class="act" href="${address}">Open the approval page</a></p>${fold('Other ways to approve it', html`<p>The address: <code>${address}</code></p><p>In a terminal: ${run}</p>`)}`
    : html`<p>Approve it on its page: <code>${address}</code></p>${fold('In a terminal', html`<p>${run}</p>`)}`;
}

const isOfThisComputer = (address: string): boolean => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(address);

/** A form of the host may be closed by now, so a draft that has no page is approved in a terminal. */
export const onPage = (address: string | undefined) => ({
  method: address === undefined ? undefined : 'page',
  address,
});

/** The environment of orders, a live one in red; undefined where it is unknown. */
export function environmentBadge({ environment }: Envelope): Markup | undefined {
  if (environment === undefined) return undefined;
  const { name, meaning, look } = environmentLabels(environment);
  return html`<span class="badge ${look === 'live' && look}">${look === 'live' ? `${name} · ${meaning}` : name}</span>`;
}

/** `As of today 09:30`; undefined where the time is unknown, or the head of the page says it for all. */
const sayTime = ({ asOf }: Envelope, look: FormatOptions): string | undefined =>
  asOf === undefined || look.isPart ? undefined : `As of ${formatTimestamp(asOf, look)}`;

/** A note with the symbols of its tickers, and days as a reader writes them. A command to type stays as it is. */
export const sayNote = (note: string, look: FormatOptions): string =>
  note.replace(/brokerage-mcp [\w -]*|\b[\w./-]+_EQ\b|\b\d{4}-\d\d-\d\d\b(?!T)/g, (part) =>
    part.startsWith('brokerage-mcp') ? part : part.endsWith('_EQ') ? formatTicker(part) : formatDay(part, look),
  );

/** What a reader must know of the figures is below them; for incomplete ones it is not folded. */
const foldedNotes = (notes: readonly string[], isOpen: boolean): Markup =>
  html`${
    notes.length > 0 &&
    html`<details class="notes" ${isOpen && 'open'}><summary>About this result: ${countOf(notes.length, 'note')}</summary><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></details>`
  }`;

/** A term, its value as text, a decimal whose sign selects the colour, and the same in percent, smaller. */
export type Figure = readonly [term: string, text: string, decimal?: string | undefined, percent?: string | undefined];

type Figures = readonly (Figure | undefined | false)[];

/**
 * The figure that was asked for, two beside it, and the others behind a summary, which is made of their names where it
 * is not given. Unknown ones are left out.
 */
export function hero(main: Figure | undefined | false, beside: Figures, more: Figures = [], summary?: string): Markup {
  const [first, ...others] = [main, ...beside].filter((figure) => !!figure);
  const rest = more.filter((figure) => !!figure);
  return html`${
    first &&
    html`<div class="hero"><dl class="main">${drawFigure(first)}</dl>${others.length > 0 && html`<dl class="beside">${others.map(drawFigure)}</dl>`}</div>`
  }${rest.length > 0 && html`<details class="more"><summary>${summary ?? nameFigures(rest)}</summary>${figures(rest)}</details>`}`;
}

/** Letters that a summary has room for on a phone. */
const nameLength = 46;

/** What a summary hides, by its first names: `Proceeds, cost and 3 more`. */
const nameFigures = (list: readonly Figure[]): string => {
  const terms = list.map(([term], n) =>
    n === 0 ? term : term.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()),
  );
  const all = terms.join(', ');
  if (terms.length <= 3 && all.length <= nameLength) return all;
  const [one = '', two = ''] = terms;
  return one.length + two.length <= nameLength - 14 && terms.length > 2
    ? `${one}, ${two} and ${terms.length - 2} more`
    : `${one} and ${terms.length - 1} more`;
};

const drawFigure = ([term, text, decimal, percent]: Figure): Markup =>
  html`<div><dt>${term}</dt><dd class="${signClass(decimal)}">${text}${percent && html` <small>${percent}</small>`}</dd></div>`;

/** Draws a list of figures and leaves out unknown ones; `boxes` are those that a reader copies. */
export const figures = (list: Figures, kind?: 'boxes'): Markup => {
  const known = list.filter((figure) => !!figure);
  return html`${known.length > 0 && html`<dl class="figures ${kind}">${known.map(drawFigure)}</dl>`}`;
};

export const signClass = (decimal: string | undefined): string => ['loss', '', 'gain'][getSign(decimal) + 1] ?? '';

/** Every drawing is made in these widths (px), and CSS shows the one that fits, so no script has to redraw. */
const drawingWidths = [340, 480, 680] as const;

/**
 * Draws once per width. The SVG has the role group, not image: its marks have names, and screen readers hide the
 * children of an image.
 */
export const drawing = (
  {
    id,
    title,
    description,
    isPrinted = false,
  }: {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    /** Whether each mark has its figures beside it, so that pointing at one shows nothing more. */
    readonly isPrinted?: boolean;
  },
  /** `below` is what the drawing of this width has no room for. */
  draw: (
    width: number,
    id: string,
  ) => { readonly height: number; readonly content: Markup; readonly below?: Markup | undefined },
): Markup => html`
${drawingWidths.map((width) => {
  const name = `${id}-${width}`;
  const { height, content, below } = draw(width, name);
  return html`<div class="drawing w${width}"><svg viewBox="0 0 ${width} ${height}" role="group" aria-labelledby="${name}-t ${name}-d"
><title id="${name}-t">${title}</title><desc id="${name}-d">${description}</desc>${content}</svg>${below}</div>`;
})}
${!isPrinted && html`<p class="readout" aria-hidden="true"></p>`}`;

/** An entry of a legend. */
export const sample = (name: string, mark: Markup): Markup =>
  html`<li><svg aria-hidden="true">${mark}</svg>${name}</li>`;

/** The mark of a line in a legend. */
export const lineSample = (kind: string): Markup => html`<path class="${kind}" d="M0 7H14"/>`;

/** Says at the top of a document what it lacks, as sentences; undefined when nothing is missing. */
export const sayIncomplete = (why: string | undefined, gaps: readonly string[] = []): Markup | undefined =>
  why === undefined && gaps.length === 0
    ? undefined
    : html`<div class="cares" role="status"><p><b>Not complete.</b> ${why}</p>${gaps.length > 0 && html`<ul class="gaps">${gaps.map((gap) => html`<li>${gap}</li>`)}</ul>`}</div>`;

export const empty = (frame: Envelope, what: string): Markup =>
  html`<p class="say">${frame.complete ? what : `${what.replace(/\.$/, '')} in the available data.`}</p>`;

export const waiting = (what: string): Markup => html`<section><p class="soft" role="status">${what}</p></section>`;

export const failure = (title: string, said: ErrorResult): Markup => html`
<section role="alert"><h2>${title}</h2>
<p class="say over">${said.message}</p>
</section>`;

/** A message for a result whose fields do not fit this view. */
export const unsupportedResponse = (title: string): Markup =>
  html`<section><h2>${title}</h2><p class="say">This result contains nothing that can be drawn.</p></section>`;

/** Draws a part of a document, or the error in its place. A part that was not requested is left out. */
export function drawPart<Model>(
  title: string,
  answer: unknown,
  read: (body: Fields) => Model | undefined,
  draw: (model: Model) => Markup,
): Markup | undefined {
  if (answer === undefined) return undefined;
  const body = toFields(answer);
  if (isErrorBody(body)) return failure(title, readError(body));
  const model = read(body);
  return model === undefined ? unsupportedResponse(title) : draw(model);
}

/** What the page of a view contains until its script draws, and again when that fails. */
export const notDrawn = (title: string): Markup =>
  html`<section role="alert"><h2>${title}</h2><p class="say over">This view could not be drawn. The text in the chat has the same figures.</p></section>`;

// Tables with the same figures as the drawings; clicking a column head sorts them.

export interface Column<Row> {
  readonly label: string;
  /** A head of several parts in place of the label, for cells of such lines. It sorts nothing. */
  readonly head?: Markup;
  readonly text: (row: Row) => string;
  /** The sort key when it differs from the text: an exact decimal or an ISO date. Empty means unknown. */
  readonly key?: (row: Row) => string | undefined;
  readonly isNumber?: boolean;
  /** In the card layout, this cell takes a full line. */
  readonly isLong?: boolean;
  /**
   * In the card layout, this cell is beside the name of the row, and the others share the line below. Where no column
   * says whether it is this one, the first of numbers is.
   */
  readonly isResult?: boolean;
  readonly look?: (row: Row) => string;
  /** What comes before the text, such as a mark of its colour. */
  readonly before?: (row: Row) => Markup | undefined;
  /** A second, smaller line. */
  readonly small?: ((row: Row) => string | undefined) | undefined;
  /** What a reader opens below that line; it is not printed. */
  readonly detail?: (row: Row) => Markup | undefined;
}

/**
 * Builds a table whose first column names the row; `totals` are the last rows, which no sort moves. It has explicit
 * roles: a narrow page shows rows as cards, and CSS that does so makes browsers drop the table roles.
 */
export const table = <Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  totals: readonly Row[] = [],
): Markup => {
  const shown = chooseResult(columns);
  return html`
<table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ label, head, isNumber }) =>
      html`<th role="columnheader" scope="col" class="${isNumber === true && 'number'}">${head ?? html`<button type="button">${label}</button>`}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => drawRow(shown, row))}</tbody>${
    totals.length > 0 && html`<tfoot role="rowgroup">${totals.map((row) => drawRow(shown, row))}</tfoot>`
  }</table>`;
};

function chooseResult<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  if (columns.some(({ isResult }) => isResult !== undefined)) return columns;
  const first = columns.findIndex(({ isNumber }) => isNumber);
  return columns.map((column, index) => (index === first ? { ...column, isResult: true } : column));
}

const drawRow = <Row>(columns: readonly Column<Row>[], row: Row): Markup =>
  html`<tr role="row">${columns.map((column, index) => cell(column, row, index === 0))}</tr>`;

/** The letters of a name that fit in two lines of a card; a longer one is cut there, where a second line names it too. */
const maxNameLength = 48;

function cell<Row>(column: Column<Row>, row: Row, isHead: boolean): Markup {
  const text = column.text(row);
  const key = column.key ? (column.key(row) ?? '') : text;
  const small = column.small?.(row);
  const classes = [column.isNumber && 'number', column.isLong && 'long', column.isResult && 'sum', column.look?.(row)]
    .filter(Boolean)
    .join(' ');
  const detail = column.detail?.(row);
  const second = small !== undefined && html`<small>${small}</small>`;
  const isCut = isHead && small !== undefined && text.length > maxNameLength;
  const inside = html`${column.before?.(row)}${isCut ? html`<span class="name">${text}</span>` : text}${detail ? html`<details><summary>${small ?? 'More'}</summary>${detail}</details>` : second}`;
  return isHead
    ? html`<th role="rowheader" scope="row" data-key="${key}">${inside}</th>`
    : html`<td role="cell" class="${classes}" data-label="${column.label}" data-key="${key}">${inside}</td>`;
}

/** A part that a reader opens who wants it. */
export const fold = (summary: string, content: Markup): Markup =>
  html`<details><summary>${summary}</summary>${content}</details>`;

/** The figures of a drawing as a table, for readers who prefer it. It is not printed beside the drawing. */
export const asTable = (content: Markup): Markup =>
  html`<details class="as-table"><summary>Show as a table</summary>${content}</details>`;

/** The side of an order, in the neutral tones of the pages that approve one: colours are for gain and loss. */
export const sideMark = (side: string | undefined): Markup =>
  html`<span class="side ${side === 'BUY' && 'buy'}">${side ?? 'Side unknown'}</span>`;
