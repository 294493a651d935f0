/**
 * Draws a draft: the weights and the cash before and after, the orders with their charges and checks, and what became
 * of them. It shows one result, and nothing can be sent or edited from it.
 */

import { html, type Markup } from '../../html-template.ts';
import type { AttemptModel, DraftModel, WeightModel } from '../model/draft.ts';
import { type Fields, toDecimal, toText, toTexts } from '../model/fields.ts';
import {
  type FormatOptions,
  formatDay,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPrice,
  formatSigned,
  formatSignedMoney,
  formatTimestamp,
  unknown,
} from './format-values.ts';
import { type Figure, figures, section, signClass } from './section.ts';
import { asTable, type Column, table } from './table.ts';
import { formatConstant, outcomeTitles } from './ticket.ts';
import { weightChart } from './weight-chart.ts';

type Look = FormatOptions & { readonly now: number };

export function drawDraft(draft: DraftModel, look: Look): Markup {
  const { drafts, frame, weights, dropped, sales, notes, name, currency, attempt } = draft;
  const unit = `Amounts in ${currency ?? 'the account’s currency'}`;
  const part = (title: string, columns: readonly Column<Fields>[], rows: readonly Fields[] = [], caption = unit) =>
    rows.length > 0 && html`<h3>${title}</h3>${table(caption, columns, rows)}`;
  const body = drafts
    ? table(`Open: ${drafts.length}`, listColumns(look), drafts)
    : html`${status(draft, look)}
${figures(amounts(draft, look))}
${list(warnings(draft), 'notes')}
${weights.length > 0 && html`<h3>Weights</h3>${weightChart(weights, { ...look, currency })}${asTable(table(unit, weightColumns(look), weights))}`}
${part('Orders', legColumns(draft, look), draft.legs)}
${part('Left out', droppedColumns(look), dropped)}
${part('What the sells would realise', saleColumns(look), sales)}
${sales.length > 0 && year(draft, look)}
${part('What became of each order', attemptColumns, attempt?.legs, `Version ${attempt?.version ?? unknown}`)}
${list(notes, 'soft')}
${name !== undefined && html`<p class="soft">Name: “${name}”</p>`}`;
  return section({ id: 'draft', title: drafts ? 'Drafts of orders' : 'Draft of orders', frame, body }, look);
}

const list = (texts: readonly string[], look: string): Markup =>
  html`${texts.length > 0 && html`<ul class="${look}">${texts.map((text) => html`<li>${text}</li>`)}</ul>`}`;

/** Outcomes of an attempt after which the same version can be sent. */
const unsent = ['declined', 'expired', 'refused'];

/** What has been sent, what the draft is, and how a person goes on. */
function status({ draftId, version, goal, expiresAt, state, attempt }: DraftModel, look: Look): Markup {
  const isExpired = state === 'expired' || (expiresAt !== undefined && look.now >= expiresAt);
  const isOpen = state === undefined ? !attempt || unsent.includes(attempt.outcome) : state === 'open';
  const facts = [
    goal && formatConstant(goal),
    draftId && `Draft ${draftId}`,
    version && `version ${version}`,
    state && state !== 'open' && `state: ${formatConstant(state)}`,
    expiresAt && `${isExpired ? 'expired' : 'expires'} ${formatTimestamp(expiresAt, look)}`,
  ];
  return html`<p class="soft">${facts.filter(Boolean).join(', ')}</p>
<div class="say">${attempt ? describeAttempt(attempt) : html`<p><b>Nothing has been sent.</b>${draftId === undefined && ' The plan has no orders, so no draft was made.'}</p>`}
${
  isOpen &&
  draftId !== undefined &&
  (isExpired
    ? html`<p>The draft has expired and cannot be sent.</p>`
    : html`<p>To review and edit it: <code>brokerage-mcp drafts show ${draftId} --page</code></p>
<p>To send it: <code>brokerage-mcp drafts submit ${draftId}</code></p>`)
}</div>`;
}

const describeAttempt = ({ outcome, rule, leg, texts }: AttemptModel): Markup => html`
<p><b>${formatOutcome(outcome)}${rule !== undefined && ` (${leg === undefined ? '' : `leg ${leg}, `}rule ${rule})`}</b></p>
${texts.map((text) => html`<p>${text}</p>`)}`;

const formatOutcome = (outcome: string | undefined): string =>
  outcome === undefined ? unknown : (outcomeTitles[outcome] ?? formatConstant(outcome));

/** A plan has the cash after it; list_drafts has sums before charges. */
function amounts(draft: DraftModel, look: FormatOptions): readonly (Figure | false)[] {
  const { goal, currency, buys, sells, charges } = draft;
  const isPlan = goal !== undefined;
  const money = (term: string, decimal: string | undefined): Figure => [term, formatMoney(decimal, currency, look)];
  if (buys === undefined && sells === undefined) return [];
  return [
    money('Buys', buys),
    money('Sells', sells),
    isPlan && money(draft.chargesKnown ? 'Estimated charges' : 'Charges, some unknown', charges),
    money(isPlan ? 'Cash before' : 'Cash now', draft.cashBefore),
    isPlan && money('Cash after', draft.cashAfter),
    isPlan && money('Cash at worst', draft.cashAtWorst),
    draft.left !== undefined && money('Not spent', draft.left),
  ];
}

const warnings = ({ attempt, isFunded, unknownValues }: DraftModel): readonly string[] => [
  ...(unknownValues > 0 ? [`No sum includes the orders whose value is unknown: ${unknownValues}.`] : []),
  ...(isFunded === false ? ['The cash does not cover the buys.'] : []),
  ...(attempt?.warnings ?? []),
];

const text = (label: string, name: string, none: string = unknown): Column<Fields> => ({
  label,
  text: (row) => toText(row[name]) ?? none,
});

const amount = (label: string, name: string, look: FormatOptions): Column<Fields> => ({
  label,
  text: (row) => formatNumber(toDecimal(row[name]), look),
  key: (row) => toDecimal(row[name]),
  isNumber: true,
});

const weightColumns = (look: FormatOptions): readonly Column<WeightModel>[] => {
  const percent = (label: string, name: 'before' | 'target' | 'after', none = unknown): Column<WeightModel> => ({
    label,
    text: (row) => (row[name] === undefined ? none : formatPercent(row[name], look)),
    key: (row) => row[name],
    isNumber: true,
  });
  return [
    { label: 'Ticker', text: ({ ticker }) => ticker },
    percent('Before', 'before'),
    percent('Target', 'target', 'none'),
    percent('After', 'after'),
    {
      label: 'Value',
      text: ({ valueBefore, valueAfter }) => `${formatNumber(valueBefore, look)} → ${formatNumber(valueAfter, look)}`,
      key: ({ valueAfter }) => valueAfter,
      isNumber: true,
    },
    {
      label: 'Not at its target',
      text: ({ because }) => (because === undefined ? '' : formatConstant(because)),
      isLong: true,
    },
  ];
};

const legColumns = ({ goal, isReviewed }: DraftModel, look: FormatOptions): readonly Column<Fields>[] => [
  {
    label: 'Order',
    text: (row) => describeOrder(row, look),
    key: ({ leg }) => toText(leg)?.padStart(2, '0'),
    small: (row) => describeTerms(row, look),
  },
  amount('Estimate', 'value', look),
  ...(goal === undefined ? [] : [{ label: 'Charges', text: ({ charges }: Fields) => formatCharges(charges) }]),
  {
    label: 'Check',
    text: ({ rule, passes }) =>
      toText(rule) !== undefined
        ? `Refused now: ${rule}`
        : passes === true || (passes === undefined && isReviewed)
          ? 'Passes'
          : 'Not checked',
    small: (row) => remarks(row).join(' ') || undefined,
    look: ({ rule }) => (rule ? 'loss' : ''),
    isLong: true,
  },
];

const describeOrder = ({ leg, side, quantity, ticker }: Fields, look: FormatOptions): string =>
  `${toText(leg) ?? ''}. ${toText(side) ?? unknown} ${formatNumber(toDecimal(quantity), look)} × ${toText(ticker) ?? unknown}`;

function describeTerms(row: Fields, look: FormatOptions): string {
  const price = (name: string, value: unknown) =>
    toText(value) && `${name} ${formatPrice(toDecimal(value), toText(row.priceCurrency), look)}`;
  const terms = [
    formatConstant(toText(row.type) ?? unknown),
    price('stop', row.stopPrice),
    price('limit', row.limitPrice),
    toText(row.timeValidity)?.replace(/_/g, ' ').toLowerCase(),
  ];
  return terms.filter(Boolean).join(', ');
}

/** Empty text means that own fills show no charges. */
const formatCharges = (charges: unknown): string =>
  charges === '' ? 'none' : (toText(charges)?.replace(/_/g, ' ').toLowerCase() ?? unknown);

const remarks = (row: Fields): readonly string[] => [
  ...toTexts([row.problem]),
  ...(toText(row.largestQuantity) === undefined ? [] : [`At most ${row.largestQuantity}.`]),
  ...(row.dependsOnSells === true ? ['Waits for the cash of the sells.'] : []),
  ...(row.priceFrom === 'assumed' || row.priceAssumed === true ? ['Its price was assumed.'] : []),
  ...(row.extendedHours === true ? ['Also outside regular hours.'] : []),
  ...toTexts(row.warnings),
];

const droppedColumns = (look: FormatOptions): readonly Column<Fields>[] => [
  text('Ticker', 'ticker'),
  text('Side', 'side'),
  amount('Value', 'value', look),
  { label: 'Why', text: ({ reason }) => formatConstant(toText(reason) ?? unknown), isLong: true },
];

const saleColumns = (look: FormatOptions): readonly Column<Fields>[] => [
  text('Ticker', 'ticker'),
  {
    ...amount('Gain or loss', 'gain', look),
    text: ({ gain }) => formatSigned(toDecimal(gain), look),
    look: ({ gain }) => signClass(toDecimal(gain)),
  },
  amount('Proceeds', 'proceeds', look),
  amount('Cost', 'cost', look),
  amount('Shares left', 'quantityLeft', look),
  {
    label: 'Matched by',
    text: ({ missing, matches }) => toText(missing) ?? (toTexts(matches).join(', ').replace(/_/g, ' ') || unknown),
    isLong: true,
  },
];

function year({ year, method, currency }: DraftModel, look: FormatOptions): Markup {
  const gain = (value: unknown) => formatSignedMoney(toDecimal(value), currency, look);
  return html`<p class="soft">Realised gain of the tax year ${toText(year.taxYear)}: ${gain(year.yearGainBefore)} without, ${gain(year.yearGainAfter)} with these sells${method && `, by ${method.replace(/_/g, ' ').replace('uk', 'UK')}`}.</p>`;
}

const attemptColumns: readonly Column<Fields>[] = [
  {
    label: 'Order',
    text: ({ leg, order }) => `${toText(leg) ?? ''}. ${toText(order) ?? unknown}`,
    key: ({ leg }) => toText(leg)?.padStart(2, '0'),
  },
  {
    label: 'Outcome',
    text: ({ outcome }) => formatOutcome(toText(outcome)),
    small: ({ reason, rule }) => toText(reason) ?? toText(rule),
    isLong: true,
  },
  text('Order id', 'orderId', 'none'),
];

const listColumns = (look: FormatOptions): readonly Column<Fields>[] => [
  text('Draft', 'draftId'),
  text('Name', 'name', ''),
  text('Version', 'version'),
  text('Orders', 'legs'),
  {
    label: 'Expires',
    text: ({ expiresAt }) => formatDay(toText(expiresAt), look),
    key: ({ expiresAt }) => toText(expiresAt),
  },
];
