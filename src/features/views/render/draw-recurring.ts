/**
 * Draws the list of drafts, and recurring plans: when each makes its next draft, what that is to trade, and that it sends
 * nothing.
 */

import { countOf, formatConstant } from '../../../core/text/count-of.ts';
import { formatTicker } from '../../../core/text/format-money.ts';
import { html, type Markup } from '../../../core/text/html-template.ts';
import { lookUp } from '../../../core/text/outcome-sentences.ts';
import { draftTitles } from '../../drafts/draft-sentences.ts';
import { type Envelope, type Fields, toDecimal, toFields, toText } from '../model/read-answer.ts';
import type { RecurringModel } from '../model/read-draft.ts';
import { type FormatOptions, formatDay, formatMoney, formatPercent, unknown } from './format-values.ts';
import { type Column, fold, hero, section, table } from './section.ts';

type Target = RecurringModel['targets'][number];

/** What the amount of a goal is, and the table of its instruments. */
const goals: Readonly<Record<string, { readonly amount: string; readonly targets: string; readonly held: string }>> = {
  invest: { amount: 'Invests each time', targets: 'What it buys', held: 'It buys what is held on that day.' },
  rebalance: { amount: 'Adds each time', targets: 'What it buys and sells', held: '' },
  raise: { amount: 'Raises each time', targets: 'What it sells', held: 'It sells what is held on that day.' },
};

/** One plan, as it was kept. */
export function drawRecurring(plan: RecurringModel, frame: Envelope, look: FormatOptions): Markup {
  const { planId, nextOn, every, amount, currency, targets } = plan;
  const words = goals[plan.goal ?? ''];
  const body = html`<p><span class="badge calm">Recurring plan</span></p>
${hero(
  ['Next draft', formatDay(nextOn, look)],
  [
    every !== undefined && ['Repeats', sayDays(every)],
    amount !== undefined && [words?.amount ?? 'Each time', formatMoney(amount, currency, look)],
  ],
)}
<div class="say"><p><b>Nothing has been sent.</b> ${sendsNothing}</p>
<p>To end it: <code>brokerage-mcp plans remove ${planId}</code></p></div>
${targets.length > 0 ? table(words?.targets ?? 'Instruments', targetColumns(look), targets) : html`<p>${words?.held}</p>`}`;
  return section({ id: 'draft', title: sayName(plan, look), frame, body }, look);
}

const sendsNothing = 'On its day the plan makes a draft, which waits for a person.';

/** The plans below the open drafts. */
export const listRecurring = (plans: readonly RecurringModel[], look: FormatOptions): Markup =>
  html`<h3>Recurring plans</h3>${table(sendsNothing, planColumns(look), plans)}`;

/** Without the days, which have a place of their own. */
const sayName = ({ name, amount = '', currency, every = '' }: RecurringModel, look: FormatOptions): string => {
  const short = name.endsWith(`, ${every}`) ? name.slice(0, -every.length - 2) : name;
  return short.replace(/\b\d+\.\d\d\b/, (text) =>
    Number(text) === Number(amount) ? formatMoney(text, currency, look) : text,
  );
};

/** `weekly on friday` as `Weekly on Friday`. */
const sayDays = (every: string): string =>
  every.replace(/^[a-z]|\b[a-z](?=[a-z]+day$)/g, (letter) => letter.toUpperCase());

const nameTarget = ({ ticker, name }: Target): string => name ?? formatTicker(ticker);

const targetColumns = (look: FormatOptions): readonly Column<Target>[] => [
  { label: 'Instrument', text: nameTarget, small: ({ ticker, name }) => name && formatTicker(ticker) },
  {
    label: 'Target weight',
    text: ({ percent }) => formatPercent(percent, look),
    key: ({ percent }) => percent,
    isNumber: true,
  },
];

const planColumns = (look: FormatOptions): readonly Column<RecurringModel>[] => [
  {
    label: 'Plan',
    text: (plan) => sayName(plan, look),
    small: ({ targets }) =>
      targets.map((target) => `${formatPercent(target.percent, look)} ${nameTarget(target)}`).join(', ') || undefined,
  },
  { label: 'Repeats', text: ({ every }) => (every === undefined ? unknown : sayDays(every)) },
  { label: 'Next draft', text: ({ nextOn }) => formatDay(nextOn, look), key: ({ nextOn }) => nextOn },
  {
    label: 'Last draft',
    text: ({ lastOn }) => (lastOn === undefined ? 'none yet' : formatDay(lastOn, look)),
    key: ({ lastOn }) => lastOn,
    small: ({ lastProblem }) => lastProblem && `No draft: ${lastProblem}`,
    isLong: true,
  },
];

// The open drafts.

/** The amount in a name that this program gave as money. */
export const sayDraftName = (name: string | undefined, look: FormatOptions): string =>
  name?.replace(/\b(\d+\.\d\d) ([A-Z]{3})\b/, (_, amount, currency) => formatMoney(amount, currency, look)) ??
  'Draft of orders';

/** The open drafts, and below them how a person reads one. */
export const listDrafts = (drafts: readonly Fields[], look: FormatOptions): Markup => html`
${table(countOf(drafts.length, 'open draft'), listColumns(look), drafts)}
${fold(
  'Ids and commands',
  html`<ul class="soft">${drafts.map(
    (row) =>
      html`<li>${nameDraft(row, look)}: <code>brokerage-mcp drafts show ${toText(row.draftId)} --page</code></li>`,
  )}</ul>`,
)}`;

const nameDraft = ({ name }: Fields, look: FormatOptions): string => sayDraftName(toText(name), look);

/** A sum of each currency, because orders of a draft that waits are not converted. */
const sayValues = (values: unknown, look: FormatOptions): string =>
  Object.entries(toFields(values))
    .map(([currency, amount]) => formatMoney(toDecimal(amount), currency, look))
    .join(' + ');

/** The colour of what a draft waits for; another state is neutral. */
const stateTones: Readonly<Record<string, string>> = { open: 'calm', pending_approval: 'care', expired: 'bad' };

const listColumns = (look: FormatOptions): readonly Column<Fields>[] => [
  { label: 'Draft', text: (row) => nameDraft(row, look) },
  {
    label: 'Value',
    text: ({ buys, sells }) => sayValues(buys, look) || sayValues(sells, look) || unknown,
    key: ({ buys, sells }) => {
      const [first, ...others] = Object.values(toFields(sayValues(buys, look) ? buys : sells));
      return others.length === 0 ? toDecimal(first) : undefined;
    },
    isNumber: true,
    isName: true,
    small: ({ buys, sells }) => {
      const [bought, sold] = [sayValues(buys, look), sayValues(sells, look)];
      if (bought) return `to buy${sold && `, ${sold} to sell`}`;
      return sold ? 'to sell' : undefined;
    },
  },
  { label: 'Orders', text: ({ legs }) => toText(legs) ?? unknown, isNumber: true },
  {
    label: 'State',
    before: ({ state = 'open' }) =>
      html`<span class="badge ${stateTones[String(state)]}">${lookUp(draftTitles, String(state)) ?? formatConstant(String(state))}</span>`,
    text: () => '',
    isName: true,
    key: ({ state }) => toText(state),
  },
  {
    label: 'Expires',
    text: ({ expiresAt }) => formatDay(toText(expiresAt), look),
    key: ({ expiresAt }) => toText(expiresAt),
  },
];
