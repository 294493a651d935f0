/**
 * Draws a draft: the weights and the cash before and after, the orders with their charges and checks, and what became
 * of them. It shows one result, and nothing can be sent or edited from it.
 */

import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { penceFact } from '../../../core/text/currency-units.ts';
import { drawCommand } from '../../../core/text/draw-command.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp } from '../../../core/text/outcome-sentences.ts';
import { describeSharedText, findSharedTexts, type SharedText } from '../../../core/text/shared-texts.ts';
import { draftSentences, draftTitles } from '../../drafts/draft-sentences.ts';
import { type Fields, toDecimal, toText, toTexts } from '../model/read-answer.ts';
import { type AttemptModel, type DraftModel, refusedNow, type WeightModel } from '../model/read-draft.ts';
import { weightChart } from './charts.ts';
import { drawOrders, formatRule, nameInstrument } from './draw-orders.ts';
import { drawRecurring, listDrafts, listRecurring, sayDraftName } from './draw-recurring.ts';
import {
  type FormatOptions,
  formatDay,
  formatEnd,
  formatMoney,
  formatNumber,
  formatPercent,
  formatSignedMoney,
  formatTimestamp,
  getSign,
  negate,
  sumDecimals,
  unknown,
} from './format-values.ts';
import { nameMethod, sayMatches } from './say-matches.ts';
import {
  approvalWays,
  asTable,
  type Column,
  environmentBadge,
  type Figure,
  fold,
  hero,
  onPage,
  sayNote,
  section,
  signClass,
  table,
} from './section.ts';

type Look = FormatOptions & { readonly now: number };

export function drawDraft(draft: DraftModel, look: Look): Markup {
  const { drafts, plans, frame, legs } = draft;
  const [plan] = plans;
  if (plan && !drafts) return drawRecurring(plan, frame, look);
  const body = drafts ? html`${listDrafts(draft, look)}${plan && listRecurring(plans, look)}` : drawOne(draft, look);
  const rows = drafts ? { shown: drafts.length, what: 'drafts' } : { shown: legs.length, what: 'orders' };
  return section(
    {
      id: 'draft',
      title: drafts ? 'Drafts of orders' : sayDraftName(draft.name, look),
      frame,
      badge: environmentBadge(frame),
      rows,
      body,
    },
    look,
  );
}

function drawOne(draft: DraftModel, look: Look): Markup {
  const { weights, dropped, sales, notes, currency } = draft;
  const folded = (summary: string, columns: readonly Column<Fields>[], rows: readonly Fields[]) =>
    rows.length > 0 && fold(summary, table(summary, columns, rows));
  return html`${status(draft, look)}
${amounts(draft, look)}
${list(warnings(draft, look), 'cares')}
${list(
  sayShared(draft, ({ text }) => text === penceFact),
  'soft',
)}
${orders(draft, look)}
${sales.length > 0 && year(draft, look)}
${folded('What the sells would realise', saleColumns(currency, look), sales)}
${weights.length > 0 && html`<h3>Weights</h3>${weightChart(weights, { ...look, currency })}${asTable(table('Weights', weightColumns(currency, look), weights))}`}
${folded(`Left out: ${dropped.length}`, droppedColumns(currency, look), dropped)}
${
  notes.length > 0 &&
  fold(
    `${countOf(notes.length, 'note')} on this draft`,
    list(
      notes.map((text) => sayNote(text, look)),
      'soft',
    ),
  )
}`;
}

/**
 * Each order once: what became of it is beside it, where the version that was submitted is the one that is shown. What
 * became of an earlier version is folded.
 */
function orders(draft: DraftModel, look: Look): Markup {
  const { legs, attempt, currency, sales, version } = draft;
  const ended = attempt?.outcome === 'pending_approval' ? [] : (attempt?.legs ?? []);
  const isSame = attempt?.version === undefined || attempt.version === version || legs.length === 0;
  const results = new Map(ended.map((row) => [toText(row.leg) ?? '', row]));
  const common = findCommon(draft);
  // Where it is known what became of the orders, that they are not checked says nothing.
  const isOver = isSame && ended.length > 0 && common === 'unchecked';
  const sayCheck = (row: Fields): string => {
    const found = checkLeg(row, draft);
    if (found === common || legs.length === 0) return '';
    return found === 'rule' ? `Refused now: ${formatRule(String(row.rule))}.` : checkWords[found][0];
  };
  const props = { currency, sayCheck, sales, shared: new Set(findShared(draft).map(({ text }) => text)) };
  const shown = legs.length > 0 ? legs : (attempt?.legs ?? []);
  return html`${
    shown.length > 0 &&
    html`<h3>${legs.length > 0 && !isOver ? sayChecks(draft) : countOf(shown.length, 'order')}</h3>
${drawOrders(shown, { ...props, results: isSame ? results : new Map() }, look)}`
  }
${
  !isSame &&
  ended.length > 0 &&
  fold(
    `What became of version ${attempt?.version}`,
    drawOrders(ended, { ...props, sales: [], sayCheck: () => '', results }, look),
  )
}`;
}

/** Nothing is said for what does not hold. */
type Remark = string | false | undefined;

const list = (texts: readonly Remark[], look: string): Markup =>
  html`${texts.some(Boolean) && html`<ul class="${look}">${texts.map((text) => text && html`<li>${text}</li>`)}</ul>`}`;

/** Outcomes of an attempt after which the same version can be sent. */
const unsent = ['declined', 'expired', 'refused'];

/** The colour of what became of an attempt; any other is neutral. */
const tones: Readonly<Record<string, string>> = {
  pending_approval: 'care',
  declined: 'bad',
  expired: 'bad',
  refused: 'bad',
  refused_now: 'bad',
  stopped: 'bad',
  done: 'good',
};

/** What has been sent, what the draft is, and how a person goes on. */
function status({ draftId, version, expiresAt, state, attempt, refused }: DraftModel, look: Look): Markup {
  const isExpired = state === 'expired' || (expiresAt !== undefined && look.now >= expiresAt);
  const isOpen = state === undefined ? !attempt || unsent.includes(attempt.outcome) : state === 'open';
  const facts = [
    version && `Version ${version}`,
    state && state !== 'open' && !attempt && formatConstant(state).toLowerCase(),
    expiresAt &&
      attempt?.approval === undefined &&
      state !== 'sent' &&
      `${isExpired ? 'expired' : 'expires'} ${formatEnd(expiresAt, look)}`,
  ].filter(Boolean);
  const isRefused = isOpen && !isExpired && refused !== undefined;
  const tone = isOpen && isExpired ? 'bad' : lookUp(tones, isRefused ? refused.outcome : attempt?.outcome);
  return html`${facts.length > 0 && html`<p class="soft">${facts.join(', ')}</p>`}
<div class="state ${attempt?.sender === 'gone' ? 'bad' : tone}">${isRefused && describeAttempt(refused, undefined, look)}${
    attempt
      ? describeAttempt(attempt, draftId, look)
      : html`<p class="${!isRefused && 'title'}">Nothing has been sent.</p>${draftId === undefined && html`<p>The plan has no orders, so no draft was made.</p>`}`
  }
${
  isOpen &&
  draftId !== undefined &&
  (isExpired
    ? html`<p>The draft has expired and cannot be sent.</p>`
    : html`${!refused && html`<p>To send it, say so in the conversation.</p>`}<details><summary>${refused ? 'How to edit it' : 'Edit or send it yourself'}</summary><p>To review and edit it: ${drawCommand(`brokerage-mcp drafts show ${draftId} --page`)}</p>
${!refused && html`<p>To send it: ${drawCommand(`brokerage-mcp drafts submit ${draftId}`)}</p>`}</details>`)
}</div>`;
}

function describeAttempt(attempt: AttemptModel, draftId: string | undefined, look: FormatOptions): Markup {
  const { outcome, sender, rule, leg, reason, approval, remainingVersion } = attempt;
  const refusal = rule !== undefined && [leg && `order ${leg}`, formatRule(rule)].filter(Boolean).join(', ');
  // The reason says more than the rule.
  const isExplained = outcome === refusedNow && reason !== undefined;
  const lines = [
    sender !== 'gone' && lookUp(draftSentences, outcome),
    !isExplained && refusal && `Refused: ${refusal}.`,
    isExplained && leg !== undefined ? `Order ${leg}: ${reason}` : reason,
    remainingVersion !== undefined && `Version ${remainingVersion} of the draft has the orders that were not sent.`,
  ].filter(Boolean);
  const command = html` ${drawCommand(`brokerage-mcp drafts submit ${draftId}`)}`;
  return html`<p class="title">${sender === 'gone' ? 'No process is sending it now' : formatOutcome(outcome)}</p>
${lines.map((line) => html`<p>${line}</p>`)}
${draftId !== undefined && sender === 'gone' && html`<p>The program that sent the orders has ended. To carry on:${command}</p>`}
${approval?.expiresAt !== undefined && html`<p>It can be approved until <b>${formatTimestamp(approval.expiresAt, look)}</b>; then nothing is sent.</p>`}
${draftId !== undefined && approval !== undefined && approvalWays(onPage(approval.address), `brokerage-mcp drafts submit ${draftId}`)}`;
}

const formatOutcome = (outcome: string): string =>
  outcome === refusedNow ? 'It would be refused now' : (lookUp(draftTitles, outcome) ?? formatConstant(outcome));

/** What the orders cost or bring, and the cash after a plan; list_drafts has sums before charges. */
function amounts(draft: DraftModel, look: FormatOptions): Markup {
  const { goal, currency, buys, sells, charges, cashBefore, cashAfter } = draft;
  const isPlan = goal !== undefined;
  // A sum that leaves orders out is a lower bound.
  const bound = draft.unknownValues > 0 ? 'at least ' : '';
  const money = (term: string, decimal: string | undefined, before = ''): Figure => [
    term,
    before + formatMoney(decimal, currency, look),
  ];
  if (buys === undefined && sells === undefined) return html``;
  const atLeast: Figure = ['Charges, at least', formatMoney(charges, currency, look), undefined, 'not all are known'];
  const isSale = getSign(buys) === 0 && getSign(sells) > 0;
  const [first, second] = isSale ? [money('Sells', sells, bound), undefined] : [money('Buys', buys, bound), sells];
  return hero(
    first,
    [
      getSign(second) !== 0 && money('Sells', second, bound),
      isPlan && (draft.chargesKnown ? money('Estimated charges', charges) : atLeast),
      isPlan ? money('Cash after', cashAfter) : cashOf(draft, look),
    ],
    isPlan
      ? [
          money('Cash before', cashBefore),
          money('Cash at worst', draft.cashAtWorst),
          draft.left !== undefined && money('Of the amount, not spent', draft.left),
        ]
      : [],
    'More about the cash',
  );
}

/** Of a draft that can still be sent what its orders leave; else the cash as it is. */
function cashOf(
  { cashBefore, buys = '0', sells = '0', unknownValues, state, currency }: DraftModel,
  look: FormatOptions,
): Figure {
  const isAhead = cashBefore !== undefined && unknownValues === 0 && (state === 'open' || state === 'pending_approval');
  if (!isAhead) return ['Cash now', formatMoney(cashBefore, currency, look)];
  const after = sumDecimals([cashBefore, negate(buys), sells]);
  return ['Cash if all are filled', formatMoney(after, currency, look), undefined, 'before charges'];
}

const findShared = ({ legs }: DraftModel): readonly SharedText[] =>
  findSharedTexts(legs.map(({ leg, warnings }) => ({ number: Number(toText(leg)), texts: toTexts(warnings) })));

const sayShared = (draft: DraftModel, isWanted: (shared: SharedText) => boolean): readonly string[] =>
  findShared(draft)
    .filter(isWanted)
    .map((shared) => describeSharedText(shared, draft.legs.length));

const warnings = (draft: DraftModel, look: FormatOptions): readonly Remark[] => [
  draft.unknownValues > 0 && `Orders of unknown or assumed value, in no sum: ${draft.unknownValues}.`,
  draft.isFunded === false && 'The cash does not cover the buys.',
  ...(draft.attempt?.warnings ?? []).map((text) => sayNote(text, look)),
  ...sayShared(draft, ({ text }) => text !== penceFact),
];

const percent = (
  label: string,
  name: 'before' | 'target' | 'after',
  look: FormatOptions,
  none: string = unknown,
): Column<WeightModel> => ({
  label,
  text: (row) => (row[name] === undefined ? none : formatPercent(row[name], look)),
  key: (row) => row[name],
  isNumber: true,
});

const money = (
  label: string,
  name: string,
  currency: string | undefined,
  look: FormatOptions,
  format = formatMoney,
): Column<Fields> => ({
  label,
  text: (row) => format(toDecimal(row[name]), currency, look),
  key: (row) => toDecimal(row[name]),
  isNumber: true,
});

/** The name of an instrument where the row has one. */
const instrumentColumn = (label = 'Instrument'): Column<Fields> => ({
  label,
  text: (row) => nameInstrument(row),
  small: ({ name, ticker }) => (toText(name) && toText(ticker) ? formatTicker(String(ticker)) : undefined),
});

const weightColumns = (currency: string | undefined, look: FormatOptions): readonly Column<WeightModel>[] => [
  { label: 'Instrument', text: ({ name, ticker }) => name ?? formatTicker(ticker) },
  percent('Before', 'before', look),
  percent('Target', 'target', look, 'none'),
  { ...percent('After', 'after', look), isResult: true },
  {
    label: 'Value',
    text: ({ valueBefore, valueAfter }) =>
      `${formatMoney(valueBefore, currency, look)} → ${formatMoney(valueAfter, currency, look)}`,
    key: ({ valueAfter }) => valueAfter,
    isNumber: true,
  },
  {
    label: 'Not at its target',
    text: ({ because }) => (because === undefined ? '' : formatConstant(because)),
    isLong: true,
  },
];

/** What the check of an order found, as the code of its words. */
type Check = 'passes' | 'unchecked' | 'refused' | 'rule';

const checkLeg = ({ rule, passes }: Fields, { isReviewed, refused }: DraftModel): Check => {
  if (toText(rule) !== undefined) return 'rule';
  if (typeof passes !== 'boolean' && !isReviewed) return 'unchecked';
  return refused || !(passes ?? true) ? 'refused' : 'passes';
};

/** Of one order, and of all orders when the check found the same of each. */
const checkWords: Readonly<Record<Check, readonly [one: string, all: string]>> = {
  passes: ['', 'all checks passed'],
  unchecked: ['Not checked', 'not checked'],
  refused: ['', 'the draft is refused'],
  rule: ['Refused now', ''],
};

/** What is the same for all orders is said above them. */
function findCommon(draft: DraftModel): Check | undefined {
  const checks = new Set(draft.legs.map((leg) => checkLeg(leg, draft)));
  const [first] = checks;
  return checks.size === 1 && first !== 'rule' ? first : undefined;
}

function sayChecks(draft: DraftModel): string {
  const { legs } = draft;
  const common = findCommon(draft);
  const passed = legs.filter((leg) => checkLeg(leg, draft) === 'passes').length;
  const said = common === undefined ? passed > 0 && `${passed} of them passed all checks` : checkWords[common][1];
  return [countOf(legs.length, 'order'), said].filter(Boolean).join(', ');
}

const droppedColumns = (currency: string | undefined, look: FormatOptions): readonly Column<Fields>[] => [
  instrumentColumn(),
  { label: 'Side', text: ({ side }) => toText(side) ?? unknown },
  money('Value', 'value', currency, look),
  { label: 'Why', text: ({ reason }) => formatConstant(toText(reason) ?? unknown), isLong: true },
];

const saleColumns = (currency: string | undefined, look: FormatOptions): readonly Column<Fields>[] => [
  instrumentColumn(),
  {
    ...money('Gain or loss', 'gain', currency, look, formatSignedMoney),
    look: ({ gain }) => signClass(toDecimal(gain)),
  },
  money('Proceeds', 'proceeds', currency, look),
  money('Cost', 'cost', currency, look),
  {
    label: 'Shares left',
    text: ({ quantityLeft }) => formatNumber(toDecimal(quantityLeft), look),
    key: ({ quantityLeft }) => toDecimal(quantityLeft),
    isNumber: true,
  },
  {
    label: 'Matched with',
    text: ({ missing, matches }) =>
      toText(missing) ?? sayMatches(toTexts(matches).join(', ') || undefined, currency, look),
    isLong: true,
  },
];

function year({ year, method, currency }: DraftModel, look: FormatOptions): Markup {
  const gain = (value: unknown) => formatSignedMoney(toDecimal(value), currency, look);
  return html`<p class="soft">Realised ${toText(year.taxYear) ?? `since ${formatDay(toText(year.yearSince), look)}`}: ${gain(year.yearGainBefore)} → ${gain(year.yearGainAfter)} with these sells${method && `, by ${nameMethod(method)}`}.</p>`;
}
