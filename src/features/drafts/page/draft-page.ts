/** The page of a draft: its legs, sums and history, and the forms of a person. No text of the model but its name. */

import { createHash } from 'node:crypto';
import { alertBox } from '../../../core/approval/page/decision-form.ts';
import { drawNumber, factList, figureList } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { type Alert, type AlertLevel, toTime } from '../../../core/approval/page/labels.ts';
import { accountPage } from '../../../core/approval/page/layout.ts';
import { type Fact, listWarnings } from '../../../core/approval/ticket-facts.ts';
import type { ApprovalMethod } from '../../../core/orders/intent/approval-methods.ts';
import { type RuleName, riskRules } from '../../../core/orders/intent/refusal.ts';
import type { RiskLimits } from '../../../core/orders/intent/risk-limits.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { drawCommand } from '../../../core/text/draw-command.ts';
import { defaultLocale, formatTicker, writeMoney, writePercent } from '../../../core/text/format-money.ts';
import { ruleTitles } from '../../../core/text/outcome-sentences.ts';
import { foreignName } from '../../../core/text/sanitize-text.ts';
import { describeSharedText, findSharedTexts, nameOrders } from '../../../core/text/shared-texts.ts';
import type { DraftChannel, DraftVersion } from '../book/draft.ts';
import { type DraftSheet, isEndedPhase, isOpenPhase, type SheetLeg } from '../draft-sheet.ts';
import { sheetChecks, sheetFigures } from '../draft-ticket-facts.ts';
import { getPersonRefusalStep } from '../submission/check-submission.ts';
import type { DraftPhase } from '../submission/describe-submission.ts';
import {
  type FormFields,
  hiddenFields,
  type Instruments,
  legRow,
  legTitle,
  lowerForm,
  removeForm,
} from './draft-leg.ts';
import { submissionCard } from './draft-submission.ts';
import { areOpen, orderList } from './order-row.ts';

interface DraftPageProps {
  readonly path: string;
  readonly csrf: string;
  /** The result of a change that was not made. */
  readonly alert: Alert | undefined;
  /** The version that a change of this page has just made. */
  readonly saved?: DraftVersion | undefined;
}

/** Changes with everything that the page must not show as it was. A hash, because inserted texts are cut when long. */
export const getDraftState = ({ draft, phase, sent }: Pick<DraftSheet, 'draft' | 'phase' | 'sent'>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        draft.version,
        phase,
        sent?.sender,
        sent?.legs.map(({ outcome, orderId }) => [outcome, orderId]),
      ]),
    )
    .digest('base64url');

const refusedNow = { label: 'Refused now', tone: 'bad' } as const;

const phases: Readonly<Record<DraftPhase, { readonly label: string; readonly tone: AlertLevel }>> = {
  open: { label: 'Not sent', tone: 'wait' },
  pending_approval: { label: 'Waiting for approval', tone: 'care' },
  sending: { label: 'Being sent', tone: 'care' },
  waiting_for_fills: { label: 'Being sent: buys wait for the fills of the sells', tone: 'care' },
  discarded: { label: 'Discarded', tone: 'bad' },
  sent: { label: 'Sent', tone: 'good' },
  expired: { label: 'Expired', tone: 'bad' },
};

export function draftPage(sheet: DraftSheet, { path, csrf, alert, saved }: DraftPageProps): Html {
  const { draft, phase, legs, sent, totals, problem, refused, versions } = sheet;
  const fields: FormFields = { path, csrf, version: draft.version };
  const editable = phase === 'open';
  const isSendable = editable && !refused;
  const open = isOpenPhase(phase);
  const ended = isEndedPhase(phase);
  const { label, tone }: (typeof phases)[DraftPhase] =
    sent?.sender === 'gone'
      ? { label: 'Not being sent now', tone: 'bad' }
      : refused && editable
        ? refusedNow
        : phases[phase];
  const submitted = versions.find(({ version }) => version === sent?.version)?.legs ?? [];
  // Without facts of the account, the rows would repeat the list of results, which there is once it was decided.
  const isListed = sent?.version === draft.version && totals === undefined && !sent.approval;
  return accountPage({
    environment: draft.environment,
    account: sheet.account,
    title: `${label}: draft ${draft.id}, ${countOf(legs.length, 'order')}`,
    reloads: open,
    main: html`
<main id="ticket" class="draft" data-state="${getDraftState(sheet)}" data-message="" data-seconds="0" data-open="no" data-done="${
      ended ? 'yes' : 'no'
    }">
<h1>Draft of ${countOf(legs.length, 'order')} <span class="state ${tone}">${label}</span></h1>
${isSendable && html`<p class="next">${describeSending(sheet)}</p>`}
<p class="sum">${isSendable ? 'Expires' : html`Version <b>${draft.version}</b>${!ended && ', expires'}`}${!ended && html` ${toTime(draft.expiresAt, sheet.now)}`}.</p>
<p id="lost" class="alert" role="status" hidden>The page’s program has ended. Start it again with “brokerage-mcp drafts show ${draft.id} --page”.</p>
${editable && html`<p id="changed" class="alert" role="status" hidden>The draft has changed. <a href="${path}">Load it again</a>; what you typed here is not saved.</p>`}
${alert && alertBox(alert)}
${sent && submissionCard(sent, { fields: open ? fields : undefined, isFocused: !alert, isFolded: !open && !isListed, legs: submitted, instruments: sheet })}
${problem !== undefined && html`<p class="alert"><strong>The orders could not all be checked.</strong> ${problem}</p>`}
${refused && refusedNotice(sheet, refused, editable ? fields : undefined)}
${totals && legs.length > 1 && html`<section class="card" aria-labelledby="totals"><h2 id="totals" class="unseen">Together, estimated</h2>${figureList(sheetFigures(totals))}${factList(sheetChecks(totals), 'lesser')}</section>`}
${saved?.edit?.kind === 'remove' && savedNotice(saved, sheet)}
${!isListed && legList(sheet, editable ? fields : undefined, saved)}
<section class="card more" aria-label="More">
${changeHistory(sheet)}
${aboutDraft(sheet, editable)}
${editable && discardForm(fields)}
</section>
</main>`,
  });
}

// Why a draft is refused: the order, the limit that it breaks, and the way out.

type Refused = NonNullable<DraftSheet['refused']>;

/** The limit of the owner behind a rule, after “is over”; `money` writes an amount of the account. */
const limitNames: Partial<Record<RuleName, (limits: RiskLimits, money: (amount: string) => string) => string>> = {
  max_order_value: ({ maxOrderValue }, money) => `the ${money(maxOrderValue)} limit per order`,
  max_day_value: ({ maxDayValue }, money) => `what is left of the ${money(maxDayValue)} limit of 24 hours`,
  max_order_quantity: ({ maxOrderQuantity }) => `the limit of ${drawNumber(maxOrderQuantity)} shares per order`,
  orders_per_minute: ({ ordersPerMinute }) => `the limit of ${countOf(ordersPerMinute, 'order')} per minute`,
  orders_per_hour: ({ ordersPerHour }) => `the limit of ${countOf(ordersPerHour, 'order')} per hour`,
  orders_per_day: ({ ordersPerDay }) => `the limit of ${countOf(ordersPerDay, 'order')} per day`,
  pending_orders: ({ maxPendingPerTicker }) => `the limit of ${maxPendingPerTicker} pending orders on one ticker`,
};

/** Rules that a smaller or a removed order satisfies. Of any other, the step of the terminal is the way out. */
const curedByEditing: ReadonlySet<RuleName> = new Set([...riskRules, 'duplicate_order']);

/** The leg that the notice names; undefined where it names none, or that leg breaks another rule first. */
const findNamed = ({ legs, refused }: DraftSheet) =>
  legs.find(({ number, refusal }) => number === refused?.leg && refusal?.rule === refused.rule);

/**
 * What the button of the notice does with the leg that it names, whose row then needs no button: the quantity to lower it
 * to, or undefined to remove it. Undefined where no change of one order cures the draft.
 */
function findCure(sheet: DraftSheet) {
  const { number: leg, refusal } = findNamed(sheet) ?? {};
  if (leg === undefined || !refusal) return undefined;
  const { rule, largestQuantity: quantity } = refusal;
  // Another price can cure that one, so its row has the fields.
  const isRemovable = sheet.legs.length > 1 && curedByEditing.has(rule) && rule !== 'price_distance';
  return quantity !== undefined || isRemovable ? { leg, quantity } : undefined;
}

/** Why none of it would be sent, and one way out. A reason that is on the line of its order is not repeated. */
function refusedNotice(sheet: DraftSheet, refused: Refused, forms: FormFields | undefined): Html {
  const named = findNamed(sheet);
  return html`<div class="alert bad"><p><strong>${describeRefusal(sheet, refused, named !== undefined)}</strong> ${!named && html`${refused.reason} `}None of the draft would be sent.</p>
${forms && drawWayOut(sheet, refused, forms)}</div>`;
}

function describeRefusal({ legs, limits, totals }: DraftSheet, { rule, leg }: Refused, isNamed: boolean): Html {
  const subject =
    leg === undefined ? 'The draft' : legs.length === 1 ? 'The order' : html`<a href="#leg-${leg}">Order ${leg}</a>`;
  const name = limits && limitNames[rule];
  // The reason, which is beside it, says what the rule is about.
  if (!name) return html`${subject} is refused${isNamed && `: ${ruleTitles[rule]}`}.`;
  return html`${subject} is over ${name(limits, (amount) => writeMoney(amount, totals?.currency, defaultLocale))}.`;
}

function drawWayOut(sheet: DraftSheet, refused: Refused, forms: FormFields): Html {
  const cure = findCure(sheet);
  if (cure)
    return cure.quantity === undefined ? removeForm(cure.leg, forms) : lowerForm(cure.leg, cure.quantity, forms);
  if (!curedByEditing.has(refused.rule)) return html`<p>${getPersonRefusalStep(sheet.draft.id, refused)}</p>`;
  return html`<p>${sheet.legs.length === 1 ? 'Change it' : 'Change or remove orders'} here, or ask your assistant for another plan.</p>`;
}

/** What a change of this page has just saved. */
const savedNotice = (saved: DraftVersion, sheet: DraftSheet): Html =>
  html`<p id="saved" class="alert good" role="status" tabindex="-1">${describeChange(saved, sheet)}, saved as version ${saved.version}.</p>`;

/** All orders, each once. A warning that several have is above them, and not on each row. */
function legList(sheet: DraftSheet, forms: FormFields | undefined, saved: DraftVersion | undefined): Html {
  const { legs, weights = [] } = sheet;
  const cured = forms && findCure(sheet)?.leg;
  const shared = findSharedTexts(
    legs.map(({ number, ticket }) => ({ number, texts: ticket ? listWarnings(ticket.ticket) : [] })),
  );
  const props = {
    forms,
    isOnly: legs.length === 1,
    isOpen: areOpen(legs.length),
    hasValues: legs.some(({ ticket }) => ticket),
    sharedWarnings: new Set(shared.map(({ text }) => text)),
    instruments: sheet,
    sums: legs.length === 1 && legs[0]?.ticket ? sheet.totals : undefined,
  };
  const isSaved = ({ number }: SheetLeg) => saved?.edit?.kind !== 'remove' && saved?.edit?.leg === number;
  return orderList({
    title: legs.length === 1 ? 'The order' : 'Orders',
    verdict:
      [describeChecks(sheet), ...(forms && !props.isOpen ? ['Open an order to change it.'] : [])]
        .filter(Boolean)
        .join(' ') || undefined,
    caption: legs.some(({ ticket }) => ticket) ? 'Values are estimates.' : 'As they are in the draft.',
    shared: shared.map((one) => describeSharedText(one, legs.length)),
    rows: legs.map((one) =>
      legRow(one, {
        ...props,
        isCuredAbove: cured === one.number,
        weight: weights.find(({ ticker }) => ticker === one.leg.ticker),
        saved: saved && isSaved(one) ? savedNotice(saved, sheet) : undefined,
      }),
    ),
    below: otherWeights(sheet),
  });
}

/** What the rules say of the orders, unless it is above them already, and which are sent after the sells. */
function describeChecks({ legs, refused, problem }: DraftSheet): string | undefined {
  if (!legs.some(({ ticket }) => ticket)) return undefined;
  const count = legs.filter(({ refusal }) => refusal).length;
  const buys = legs.filter(({ leg }) => leg.side === 'BUY');
  const late = buys.filter(({ ticket }) => ticket?.isDependent).map(({ number }) => number);
  const verdict =
    count > (refused ? 1 : 0)
      ? [`${count} of ${countOf(legs.length, 'order')} ${count === 1 ? 'is' : 'are'} refused now.`]
      : refused || problem !== undefined || !legs.every(({ ticket }) => ticket)
        ? []
        : [legs.length === 1 ? 'It passes the rules now.' : 'Every order passes the rules now.'];
  const waiting =
    late.length === buys.length ? 'The buys wait' : `${nameOrders(late)} ${late.length === 1 ? 'waits' : 'wait'}`;
  const sequence = late.length > 0 ? [`${waiting} for the sells.`] : [];
  return [...verdict, ...sequence].join(' ') || undefined;
}

/** The instruments of the plan that no order trades any more. */
function otherWeights({ weights = [], legs, names }: DraftSheet): Html | undefined {
  const others = weights.filter(({ ticker }) => legs.every(({ leg }) => leg.ticker !== ticker));
  if (others.length === 0) return undefined;
  return html`<p class="soft">Without an order now: ${others.map(
    ({ ticker, before, target }, index) =>
      html`${index > 0 && html`; `}<bdi>${names[ticker] ?? formatTicker(ticker)}</bdi> ${drawPercent(before)}${target !== undefined && `, target ${drawPercent(target)}`}`,
  )}.</p>`;
}

const drawPercent = (percent: string): string => writePercent(percent, defaultLocale);

/** The name is the model's or a plan's, so it comes last of the facts, in quotes. */
function aboutDraft({ draft, accountId, asOf, now }: DraftSheet, isEditable: boolean): Html {
  const shownName = foreignName(draft.name);
  const facts: readonly Fact[] = [
    { label: 'Draft', value: [{ code: draft.id }] },
    { label: 'Account', value: [accountId === undefined ? 'not read now' : { code: accountId }] },
    ...(asOf === undefined ? [] : [{ label: 'Account read', value: [toTime(asOf, now)] }]),
    ...(shownName === undefined ? [] : [{ label: 'Name', value: [{ foreign: shownName }] }]),
  ];
  return html`<details class="about"><summary>About this draft</summary>${factList(facts, 'lesser')}${
    isEditable &&
    html`<p class="soft">To send it from a terminal: ${drawCommand(`brokerage-mcp drafts submit ${draft.id} --version ${draft.version}`)}</p>`
  }</details>`;
}

/** How a draft is sent, by the way in which a person approves; after the version to send. */
const sendings: Readonly<Record<ApprovalMethod | 'none', string>> = {
  none: '. Orders need no approval here, so they leave then.',
  page: ', then approve it here.',
  terminal: ', then approve it in a terminal.',
  elicitation: ', then approve it in the form that your program shows.',
};

const describeSending = ({ draft: { version }, method }: DraftSheet): Html =>
  html`Ask your assistant to send version ${version}${sendings[method]}`;

/** In two steps, because a discarded draft cannot be opened again. */
const discardForm = (fields: FormFields): Html => html`
<details class="discard"><summary>Discard this draft</summary>
<p>It is closed for good. Orders that were placed stay.</p>
<form method="post" action="${fields.path}" accept-charset="utf-8">${hiddenFields(fields, 'discard')}
<button class="button quiet" type="submit">Discard</button></form>
</details>`;

// Which versions a draft had, who made each, and what a person changed.

const channels: Record<DraftChannel, string> = {
  tool: 'A tool saved it',
  page: 'You, on a page',
  terminal: 'You, in a terminal',
  submission: 'The end of sending',
};

/** The newest versions that are listed. */
const maxVersions = 20;

/** The newest version first. */
export function changeHistory(sheet: Pick<DraftSheet, 'versions' | 'now'> & Instruments): Html {
  const { versions, now } = sheet;
  const newest = versions.slice(-maxVersions).toReversed();
  return html`
<details id="changes"><summary>${countOf(versions.length, 'version')}</summary>
<table class="history">
${versions.length > maxVersions && html`<caption>The last ${maxVersions} of ${versions.length} versions</caption>`}
<thead><tr><th scope="col" class="number">Version</th><th scope="col">By</th><th scope="col">What</th></tr></thead>
<tbody>${newest.map(
    (one) =>
      html`<tr><td class="number">${one.version}</td><td>${channels[one.channel]} <span class="soft">${toTime(one.createdAt, now)}</span></td><td>${describeChange(one, sheet)}</td></tr>`,
  )}</tbody></table>
</details>`;
}

/** What a version changed in the one right before it. */
function describeChange(
  { version, channel, edit, legs }: DraftVersion,
  sheet: Pick<DraftSheet, 'versions'> & Instruments,
): Html | string {
  const { versions, names, currencies } = sheet;
  const previous = versions.find((one) => one.version === version - 1)?.legs ?? [];
  const leg = edit && previous[edit.leg - 1];
  if (!edit || !leg) return `${countOf(legs.length, 'order')}${channel === 'submission' ? ' that were not sent' : ''}`;
  if (edit.kind === 'remove') return html`Order ${edit.leg} removed: ${legTitle(leg, sheet)}`;
  const order = html`${leg.side} <bdi>${names[leg.ticker] ?? formatTicker(leg.ticker)}</bdi>`;
  if (edit.kind === 'quantity')
    return html`Order ${edit.leg}, ${order}: quantity ${drawNumber(leg.quantity)} → <b>${drawNumber(edit.quantity)}</b>`;
  const [before, now] = [leg.limitPrice ?? '', edit.limitPrice].map((one) =>
    writeMoney(one, currencies[leg.ticker], defaultLocale),
  );
  return html`Order ${edit.leg}, ${order}: limit price ${before} → <b>${now}</b>`;
}
