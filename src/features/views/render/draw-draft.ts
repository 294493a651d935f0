/**
 * Draws a draft: the weights and the cash before and after, the orders with their charges and checks, and what became
 * of them. It shows one result, and nothing can be sent or edited from it.
 */

import { formatConstant } from '../../../core/text/count-of.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp, orderTitles, ruleTitles } from '../../../core/text/outcome-sentences.ts';
import { describeSharedText, findSharedTexts, type SharedText } from '../../../core/text/shared-texts.ts';
import { draftSentences, draftTitles } from '../../drafts/draft-sentences.ts';
import { type Fields, toDecimal, toText, toTexts } from '../model/read-answer.ts';
import { type AttemptModel, type DraftModel, refusedNow, type WeightModel } from '../model/read-draft.ts';
import { weightChart } from './charts.ts';
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
import { asTable, type Column, type Figure, figures, section, signClass, table } from './section.ts';

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
${part('Orders', legColumns(draft, new Set(findShared(draft).map(({ text }) => text)), look), draft.legs)}
${part('Left out', droppedColumns(look), dropped)}
${part('What the sells would realise', saleColumns(look), sales)}
${sales.length > 0 && year(draft, look)}
${part('What became of each order', attemptColumns(), attempt?.legs, `Version ${attempt?.version ?? unknown}`)}
${list(notes, 'soft')}
${name !== undefined && html`<p class="soft">Name: “${name}”</p>`}`;
  const rows = drafts ? { shown: drafts.length, what: 'drafts' } : { shown: draft.legs.length, what: 'orders' };
  return section({ id: 'draft', title: drafts ? 'Drafts of orders' : 'Draft of orders', frame, rows, body }, look);
}

/** Nothing is said for what does not hold. */
type Remark = string | false | undefined;

const list = (texts: readonly Remark[], look: string): Markup =>
  html`${texts.some(Boolean) && html`<ul class="${look}">${texts.map((text) => text && html`<li>${text}</li>`)}</ul>`}`;

/** Outcomes of an attempt after which the same version can be sent. */
const unsent = ['declined', 'expired', 'refused'];

/** What has been sent, what the draft is, and how a person goes on. */
function status({ draftId, version, goal, expiresAt, state, attempt, refused }: DraftModel, look: Look): Markup {
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
<div class="say">${attempt ? describeAttempt(attempt, draftId) : html`<p><b>Nothing has been sent.</b>${draftId === undefined && ' The plan has no orders, so no draft was made.'}</p>`}
${
  isOpen &&
  draftId !== undefined &&
  (isExpired
    ? html`<p>The draft has expired and cannot be sent.</p>`
    : html`<p>To review and edit it: <code>brokerage-mcp drafts show ${draftId} --page</code></p>
${refused ? describeAttempt(refused, undefined) : html`<p>To send it: <code>brokerage-mcp drafts submit ${draftId}</code></p>`}`)
}</div>`;
}

function describeAttempt(attempt: AttemptModel, draftId: string | undefined): Markup {
  const { outcome, sender, rule, leg, reason, method, remainingVersion } = attempt;
  const refusal = rule !== undefined && [leg && `order ${leg}`, formatRule(rule)].filter(Boolean).join(', ');
  const lines = [
    sender !== 'gone' && lookUp(draftSentences, outcome),
    refusal && `Refused: ${refusal}.`,
    reason,
    remainingVersion !== undefined && `Version ${remainingVersion} of the draft has the orders that were not sent.`,
  ].filter(Boolean);
  const command = html` <code>brokerage-mcp drafts submit ${draftId}</code>`;
  return html`<p><b>${sender === 'gone' ? 'No process is sending it now' : formatOutcome(outcome)}</b></p>
${lines.map((line) => html`<p>${line}</p>`)}
${draftId !== undefined && sender === 'gone' && html`<p>The program that sent the orders has ended. To carry on:${command}</p>`}
${draftId !== undefined && method !== undefined && html`<p>To approve it in a terminal:${command}</p>`}`;
}

const formatOutcome = (outcome: string): string =>
  outcome === refusedNow ? 'It would be refused now' : (lookUp(draftTitles, outcome) ?? formatConstant(outcome));

const formatRule = (rule: string): string => lookUp(ruleTitles, rule) ?? formatConstant(rule).toLowerCase();

const formatLegOutcome = (outcome: string | undefined): string =>
  outcome === undefined ? unknown : (lookUp(orderTitles, outcome)?.title ?? formatConstant(outcome));

/** A plan has the cash after it; list_drafts has sums before charges. */
function amounts(draft: DraftModel, look: FormatOptions): readonly (Figure | false)[] {
  const { goal, currency, buys, sells, charges } = draft;
  const isPlan = goal !== undefined;
  const money = (term: string, decimal: string | undefined, bound = ''): Figure => [
    term,
    bound + formatMoney(decimal, currency, look),
  ];
  // A sum that leaves orders out is a lower bound.
  const bound = draft.unknownValues > 0 ? 'at least ' : '';
  if (buys === undefined && sells === undefined) return [];
  return [
    money('Buys', buys, bound),
    money('Sells', sells, bound),
    isPlan && money(draft.chargesKnown ? 'Estimated charges' : 'Charges, some unknown', charges),
    money(isPlan ? 'Cash before' : 'Cash now', draft.cashBefore),
    isPlan && money('Cash after', draft.cashAfter),
    isPlan && money('Cash at worst', draft.cashAtWorst),
    draft.left !== undefined && money('Not spent', draft.left),
  ];
}

const findShared = ({ legs }: DraftModel): readonly SharedText[] =>
  findSharedTexts(legs.map(({ leg, warnings }) => ({ number: Number(toText(leg)), texts: toTexts(warnings) })));

const warnings = (draft: DraftModel): readonly Remark[] => [
  draft.unknownValues > 0 && `Orders of unknown or assumed value, in no sum: ${draft.unknownValues}.`,
  draft.isFunded === false && 'The cash does not cover the buys.',
  ...(draft.attempt?.warnings ?? []),
  ...findShared(draft).map((shared) => describeSharedText(shared, draft.legs.length)),
];

const text = (label: string, name: string, none: string = unknown): Column<Fields> => ({
  label,
  text: (row) => toText(row[name]) ?? none,
});

const amount = <Name extends string>(
  label: string,
  name: Name,
  look: FormatOptions,
  format = formatNumber,
): Column<{ readonly [name in Name]?: unknown }> => ({
  label,
  text: (row) => format(toDecimal(row[name]), look),
  key: (row) => toDecimal(row[name]),
  isNumber: true,
});

const weightColumns = (look: FormatOptions): readonly Column<WeightModel>[] => [
  { label: 'Ticker', text: ({ ticker }) => ticker },
  amount('Before', 'before', look, formatPercent),
  amount('Target', 'target', look, (target) => (target === undefined ? 'none' : formatPercent(target, look))),
  amount('After', 'after', look, formatPercent),
  {
    ...amount('Value', 'valueAfter', look),
    text: ({ valueBefore, valueAfter }) => `${formatNumber(valueBefore, look)} → ${formatNumber(valueAfter, look)}`,
  },
  {
    label: 'Not at its target',
    text: ({ because }) => (because === undefined ? '' : formatConstant(because)),
    isLong: true,
  },
];

const legColumns = (
  { goal, isReviewed, refused }: DraftModel,
  shared: ReadonlySet<string>,
  look: FormatOptions,
): readonly Column<Fields>[] => [
  {
    label: 'Order',
    text: (row) => describeOrder(row, look),
    key: legKey,
    small: (row) => describeTerms(row, look),
  },
  amount('Estimate', 'value', look),
  ...(goal === undefined ? [] : [{ label: 'Charges', text: ({ charges }: Fields) => formatCharges(charges) }]),
  {
    label: 'Check',
    text: ({ rule, passes }) =>
      toText(rule) !== undefined
        ? `Refused now: ${formatRule(String(rule))}`
        : typeof passes !== 'boolean' && !isReviewed
          ? 'Not checked'
          : refused || !(passes ?? true)
            ? 'The draft is refused'
            : 'Passes',
    small: (row) => remarks(row, shared).filter(Boolean).join(' ') || undefined,
    look: ({ rule }) => (rule ? 'loss' : ''),
    isLong: true,
  },
];

const legKey = ({ leg }: Fields): string | undefined => toText(leg)?.padStart(2, '0');

const describeOrder = ({ leg, side, quantity, ticker }: Fields, look: FormatOptions): string =>
  `${toText(leg) ?? ''}. ${toText(side) ?? unknown} ${formatNumber(toDecimal(quantity), look)} × ${toText(ticker) ?? unknown}`;

function describeTerms(row: Fields, look: FormatOptions): string {
  const price = (name: string, value: unknown) =>
    toText(value) && `${name} ${formatPrice(toDecimal(value), toText(row.priceCurrency), look)}`;
  const terms = [
    formatConstant(toText(row.type) ?? unknown),
    price('stop', row.stopPrice),
    price('limit', row.limitPrice),
    toWords(row.timeValidity),
  ];
  return terms.filter(Boolean).join(', ');
}

/** Empty text means that own fills show no charges. */
const formatCharges = (charges: unknown): string => (charges === '' ? 'none' : (toWords(charges) ?? unknown));

const toWords = (value: unknown): string | undefined => toText(value)?.replace(/_/g, ' ').toLowerCase();

const remarks = (row: Fields, shared: ReadonlySet<string>): readonly Remark[] => [
  toText(row.problem),
  toText(row.largestQuantity) && `Up to ${row.largestQuantity} shares would pass.`,
  row.dependsOnSells === true && 'Waits for the cash of the sells.',
  (row.priceFrom === 'assumed' || row.priceAssumed === true) && 'Its price was assumed.',
  row.extendedHours === true && 'Also outside regular hours.',
  ...toTexts(row.warnings).filter((text) => !shared.has(text)),
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
    ...amount('Gain or loss', 'gain', look, formatSigned),
    look: ({ gain }) => signClass(toDecimal(gain)),
  },
  amount('Proceeds', 'proceeds', look),
  amount('Cost', 'cost', look),
  amount('Shares left', 'quantityLeft', look),
  {
    label: 'Matched by',
    text: ({ missing, matches }) => toText(missing) ?? toWords(toTexts(matches).join(', ')) ?? unknown,
    isLong: true,
  },
];

function year({ year, method, currency }: DraftModel, look: FormatOptions): Markup {
  const gain = (value: unknown) => formatSignedMoney(toDecimal(value), currency, look);
  return html`<p class="soft">Realised ${toText(year.taxYear ?? `since ${year.yearSince}`)}: ${gain(year.yearGainBefore)} without, ${gain(year.yearGainAfter)} with these sells${method && `, by ${toWords(method)?.replace('uk', 'UK')}`}.</p>`;
}

const attemptColumns = (): readonly Column<Fields>[] => [
  {
    label: 'Order',
    text: ({ leg, order }) => `${toText(leg) ?? ''}. ${toText(order) ?? unknown}`,
    key: legKey,
  },
  {
    label: 'Outcome',
    text: ({ outcome, inFlight }) => (inFlight ? 'Being sent now' : formatLegOutcome(toText(outcome))),
    small: ({ reason, rule }) => toText(reason) ?? (toText(rule) && formatRule(String(rule))),
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
