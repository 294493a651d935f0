/**
 * Draws the list of drafts, and recurring plans: when each makes its next draft, what that is to trade, and that it sends
 * nothing.
 */

import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { drawCommand } from '../../../core/text/draw-command.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp } from '../../../core/text/outcome-sentences.ts';
import { draftTitles } from '../../drafts/draft-sentences.ts';
import type { goalWords } from '../../drafts/goal-words.ts';
import { type Envelope, type Fields, toDecimal, toFields, toText, toTimestamp } from '../model/read-answer.ts';
import { type DraftModel, type RecurringModel, readApproval } from '../model/read-draft.ts';
import {
  type FormatOptions,
  formatDay,
  formatEnd,
  formatMoney,
  formatPercent,
  formatTimestamp,
} from './format-values.ts';
import { approvalWays, environmentBadge, fold, hero, onPage, sayNote, section } from './section.ts';

type Target = RecurringModel['targets'][number];

/** What the amount of a goal is, and the table of its instruments. */
const goals: Readonly<Record<keyof typeof goalWords, Readonly<Record<'amount' | 'targets' | 'held', string>>>> = {
  invest: { amount: 'Invests each time', targets: 'What it buys', held: 'buys what is held on that day' },
  rebalance: { amount: 'Adds each time', targets: 'Target weights', held: '' },
  raise: { amount: 'Raises each time', targets: 'What it sells', held: 'sells what is held on that day' },
};

/** One plan, as it was kept. */
export function drawRecurring(plan: RecurringModel, frame: Envelope, look: FormatOptions): Markup {
  const { every, amount, currency, targets } = plan;
  const words = lookUp(goals, plan.goal);
  // An amount that the title has is not said twice.
  const hasAmount = sayName(plan, look).includes(formatMoney(amount, currency, look));
  const isSplit = targets.some((target) => target.amount !== undefined);
  const held = targets.length === 0 && words?.held;
  const body = html`<p class="soft">${[every === undefined ? 'Recurring plan' : sayDays(every), held].filter(Boolean).join(' · ')}</p>
${planState(plan, look)}
${hero(amount !== undefined && !hasAmount && [words?.amount ?? 'Each time', formatMoney(amount, currency, look)], [])}
${
  targets.length > 0 &&
  html`<h3>${words?.targets ?? 'Instruments'}${isSplit && ', by target weight'}</h3>${
    isSplit && html`<p class="soft">Holdings below their target get more.</p>`
  }<ol class="orders plain">${targets.map((target) => targetRow(target, currency, look))}</ol>`
}`;
  return section({ id: 'draft', title: sayName(plan, look), frame, badge: environmentBadge(frame), body }, look);
}

/** When the next draft is made, or why there was none on the last day. */
function planState({ planId, nextOn, lastOn, lastProblem }: RecurringModel, look: FormatOptions): Markup {
  const next = formatDay(nextOn, look);
  const last = lastOn === undefined ? '' : ` on ${formatDay(lastOn, look)}`;
  const short = lastProblem && lookUp(problems, lastProblem.code);
  return html`<div class="state ${lastProblem ? 'care' : 'calm'}"><p class="title">${lastProblem ? [`No draft${last}`, short?.title].filter(Boolean).join(': ') : `Next draft ${next}`}</p>
${lastProblem && html`<p>${sayNote(lastProblem.reason, look)}</p>`}<p>${lastProblem ? [`The next try is on ${next}.`, short?.cure].filter(Boolean).join(' ') : 'The plan makes a draft for you to check, and sends nothing.'}</p>
<p>To change or end the plan, say so in the conversation.</p>
<details><summary>In a terminal</summary><p>To end it: ${drawCommand(`brokerage-mcp plans remove ${planId}`)}</p></details></div>`;
}

/** Why a plan made no draft, in a few words, and what makes the next try better. */
const problems: Readonly<Record<string, { readonly title: string; readonly cure?: string }>> = {
  amount_over_cash: { title: 'not enough cash', cure: 'It makes a draft if the cash is enough by then.' },
  amount_over_holdings: { title: 'not enough to sell', cure: 'It makes a draft if enough can be sold by then.' },
  history_incomplete: { title: 'the history is not read yet' },
  no_price: { title: 'a price is unknown' },
  nothing_to_order: { title: 'nothing to order' },
  unknown_ticker: { title: 'an instrument is unknown' },
};

/** The weight of an instrument on the right, with its money where an amount is split. */
const targetRow = (
  { ticker, name, percent, amount }: Target,
  currency: string | undefined,
  look: FormatOptions,
): Markup =>
  html`<li><div><p><b class="name">${name ?? formatTicker(ticker)}</b>${name !== undefined && html` <small>${formatTicker(ticker)}</small>`}</p></div>
<p class="worth"><b>${formatPercent(percent, look)}</b>${amount !== undefined && html`<span class="soft">about ${formatMoney(amount, currency, look)}</span>`}</p></li>`;

/** The plans below the open drafts. */
export const listRecurring = (plans: readonly RecurringModel[], look: FormatOptions): Markup =>
  html`<h3>${countOf(plans.length, 'recurring plan')}</h3><p class="soft">Each makes a draft on its day, and sends nothing.</p>
<ol class="orders plain">${plans.toSorted(byNextDay).map((plan) => planRow(plan, look))}</ol>`;

/** The next first, and one whose day is unknown last. */
const byNextDay = (a: RecurringModel, b: RecurringModel): number => (a.nextOn ?? '9').localeCompare(b.nextOn ?? '9');

function planRow(plan: RecurringModel, look: FormatOptions): Markup {
  const { every, nextOn, lastOn, lastProblem, currency, targets } = plan;
  const last =
    lastOn === undefined ? 'no draft yet' : `last ${lastProblem ? 'tried' : 'draft'} ${formatDay(lastOn, look)}`;
  return html`<li><div><p><b>${sayName(plan, look)}</b></p>
<p class="soft">${[every && sayDays(every), last].filter(Boolean).join(', ')}</p>
${lastProblem && html`<p><span class="badge care">${['No draft', lookUp(problems, lastProblem.code)?.title].filter(Boolean).join(': ')}</span></p><p>${sayNote(lastProblem.reason, look)}</p>`}
${targets.length > 0 && fold(lookUp(goals, plan.goal)?.targets ?? 'Instruments', html`<ul class="soft">${targets.map((target) => html`<li>${sayShare(target, currency, look)} ${nameTarget(target)}</li>`)}</ul>`)}</div>
<p class="worth"><small>next</small> <b>${formatDay(nextOn, look)}</b></p></li>`;
}

/** The money where the plan splits an amount, else the weight. */
const sayShare = ({ amount, percent }: Target, currency: string | undefined, look: FormatOptions): string =>
  amount === undefined ? formatPercent(percent, look) : formatMoney(amount, currency, look);

/** Without the days, which have a place of their own. */
const sayName = ({ name, amount = '', currency, every = '' }: RecurringModel, look: FormatOptions): string => {
  const short = name.endsWith(`, ${every}`) ? name.slice(0, -every.length - 2) : name;
  return short.replace(/\b\d+\.\d\d\b/, (text) =>
    Number(text) === Number(amount) ? formatMoney(text, currency, look) : text,
  );
};

/** `weekly on Friday` as `Weekly on Friday`. */
const sayDays = (every: string): string => every.replace(/^[a-z]/, (letter) => letter.toUpperCase());

const nameTarget = ({ ticker, name }: Target): string => name ?? formatTicker(ticker);

// The open drafts.

/** The amount in a name that this program gave as money. */
export const sayDraftName = (name: string | undefined, look: FormatOptions): string =>
  name?.replace(/\b(\d+\.\d\d) ([A-Z]{3})\b/, (_, amount, currency) => formatMoney(amount, currency, look)) ??
  'Draft of orders';

/** What waits for a person, the other drafts, what all buy and sell, and how to read one. */
export function listDrafts({ drafts = [], draftTotals }: DraftModel, look: FormatOptions): Markup {
  if (drafts.length === 0) return html`<p class="say">No draft is open.</p>`;
  // What waits for a person is first.
  const waiting = drafts.filter(isWaiting);
  const others = drafts.filter((row) => !isWaiting(row));
  const rows = (list: readonly Fields[]) =>
    list.length > 0 && html`<ol class="orders plain">${list.map((row) => draftRow(row, look))}</ol>`;
  const [buys, sells] = [sayValues(draftTotals.buys, look), sayValues(draftTotals.sells, look)];
  const sums = [buys !== '' && `${buys} to buy`, sells !== '' && `${sells} to sell`].filter(Boolean);
  return html`<p class="soft">${countOf(drafts.length, 'draft')}, ${waiting.length === 0 ? 'none' : waiting.length} waiting for approval</p>
${rows(waiting)}${waiting.length > 0 && others.length > 0 && html`<h3>${countOf(others.length, 'other draft')}</h3>`}${rows(others)}
${drafts.length > 1 && sums.length > 0 && html`<p class="soft">All ${countOf(drafts.length, 'draft')}: ${sums.join(', ')}.</p>`}
${fold(
  'Ids and commands',
  html`<ul class="soft">${[...waiting, ...others].map(
    (row) =>
      html`<li>${nameDraft(row, look)}: ${drawCommand(`brokerage-mcp drafts show ${toText(row.draftId)} --page`)}</li>`,
  )}</ul>`,
)}`;
}

const isWaiting = ({ state }: Fields): boolean => state === 'pending_approval';

function draftRow(row: Fields, look: FormatOptions): Markup {
  const state = toText(row.state) ?? 'open';
  const [buys, sells] = [sayValues(row.buys, look), sayValues(row.sells, look)];
  const legs = toDecimal(row.legs);
  const expiresAt = toTimestamp(row.expiresAt);
  const approval = readApproval(row.approval);
  const facts = [
    legs !== undefined && countOf(Number(legs), 'order'),
    row.expiresAt !== undefined &&
      !isWaiting(row) &&
      `${state === 'expired' ? state : 'expires'} ${expiresAt === undefined ? String(row.expiresAt) : formatEnd(expiresAt, look)}`,
  ];
  return html`<li${isWaiting(row) && html` class="care"`}><div><p><b>${nameDraft(row, look)}</b></p>
<p class="soft"><span class="badge ${stateTones[state]}">${lookUp(draftTitles, state) ?? formatConstant(state)}</span> <span>${facts.filter(Boolean).join(', ')}${approval?.expiresAt !== undefined && html`, <b>until ${formatTimestamp(approval.expiresAt, look)}</b>`}</span></p>${
    isWaiting(row) && approvalWays(onPage(approval?.address), `brokerage-mcp drafts submit ${toText(row.draftId)}`)
  }</div>
<p class="worth">${buys && html`<span><b>${buys}</b> <small>to buy</small></span>`}${sells && html` <span><b>${sells}</b> <small>to sell</small></span>`}${!buys && !sells && html`<small>value unknown</small>`}</p></li>`;
}

const nameDraft = ({ name }: Fields, look: FormatOptions): string => sayDraftName(toText(name), look);

/** One sum, or one of each currency where their rates are unknown; empty for none. */
const sayValues = (values: unknown, look: FormatOptions): string =>
  Object.entries(toFields(values))
    .map(([currency, amount]) => formatMoney(toDecimal(amount), currency, look))
    .join(' + ');

/** The colour of what a draft waits for. */
const stateTones: Readonly<Record<string, string>> = {
  ...{ open: 'calm', pending_approval: 'care', expired: 'calm', sending: 'busy', waiting_for_fills: 'busy' },
};
