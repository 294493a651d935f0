/** The page of a draft: its legs, sums and history, and the forms of a person. No text of the model but its name. */

import { createHash } from 'node:crypto';
import Big from 'big.js';
import { alertBox } from '../../../core/approval/page/decision-form.ts';
import { factCard, groupThousands } from '../../../core/approval/page/draw-facts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { type Alert, toTime } from '../../../core/approval/page/labels.ts';
import { accountPage } from '../../../core/approval/page/layout.ts';
import { orderTitle } from '../../../core/approval/page/ticket-details.ts';
import type { Fact } from '../../../core/approval/ticket-facts.ts';
import { countOf } from '../../../core/text/count-of.ts';
import { ruleTitles } from '../../../core/text/outcome-sentences.ts';
import { foreignName } from '../../../core/text/sanitize-text.ts';
import { describeSharedText, findSharedTexts } from '../../../core/text/shared-texts.ts';
import type { DraftChannel, DraftLeg, DraftVersion } from '../book/draft.ts';
import type { DraftWeight } from '../book/draft-plan.ts';
import { type DraftSheet, isEndedPhase, isOpenPhase, type SheetLeg } from '../draft-sheet.ts';
import { sheetTotals } from '../draft-ticket-facts.ts';
import type { DraftPhase } from '../submission/describe-submission.ts';
import { type FormFields, hiddenFields, legCard } from './draft-leg.ts';
import { submissionCard } from './draft-submission.ts';

interface DraftPageProps {
  readonly path: string;
  readonly csrf: string;
  /** The result of a change that was not made. */
  readonly alert: Alert | undefined;
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

const phaseLabels: Record<DraftPhase, string> = {
  open: 'Not sent',
  pending_approval: 'Waiting for approval',
  sending: 'Being sent',
  waiting_for_fills: 'Being sent: buys wait for the fills of the sells',
  discarded: 'Discarded',
  sent: 'Sent',
  expired: 'Expired',
};

export function draftPage(sheet: DraftSheet, { path, csrf, alert }: DraftPageProps): Html {
  const { draft, phase, legs, sent, totals, problem, refused } = sheet;
  const fields: FormFields = { path, csrf, version: draft.version };
  const editable = phase === 'open';
  const open = isOpenPhase(phase);
  const ended = isEndedPhase(phase);
  const label = sent?.sender === 'gone' ? 'Not being sent now' : phaseLabels[phase];
  const submitted = sheet.versions.find(({ version }) => version === sent?.version)?.legs ?? [];
  // Without facts of the account, the cards would repeat the list of results.
  const isListed = sent?.version === draft.version && totals === undefined;
  return accountPage({
    environment: draft.environment,
    title: `${label}: draft ${draft.id}, ${countOf(legs.length, 'leg')}`,
    reloads: open,
    main: html`
<main id="ticket" class="draft" data-state="${getDraftState(sheet)}" data-message="" data-seconds="0" data-open="no" data-done="${
      ended ? 'yes' : 'no'
    }">
<h1>Draft of ${countOf(legs.length, 'order')}</h1>
<p class="sum">Version <b>${draft.version}</b>. ${editable ? 'Nothing of it has been sent.' : `${label}.`}</p>
<p id="lost" class="alert" role="status" hidden>The page’s program has ended. Start it again with “brokerage-mcp drafts show ${draft.id} --page”.</p>
${editable && html`<p id="changed" class="alert" role="status" hidden>The draft has changed. <a href="${path}">Load it again</a>; what you typed here is not saved.</p>`}
${alert && alertBox(alert)}
${sent && submissionCard(sent, { fields: open ? fields : undefined, isFocused: !alert, legs: submitted })}
${problem !== undefined && html`<p class="alert"><strong>The legs could not all be checked.</strong> ${problem}</p>`}
${refused && html`<p class="alert"><strong>The draft is refused now: ${ruleTitles[refused.rule]}${refused.leg !== undefined && html` (leg ${refused.leg})`}.</strong> ${refused.reason}</p>`}
<div class="cards">
<div>${factCard('draft', 'Draft', draftFacts(sheet))}</div>
<div>${totals && factCard('totals', 'Together, estimated', sheetTotals(totals))}</div>
</div>
${legs.some(({ ticket }) => ticket) && legs.length > 1 && legOverview(legs, refused !== undefined)}
${weightTable(sheet.weights)}
${!isListed && legCards(sheet, editable ? fields : undefined)}
${changeHistory(sheet.versions, sheet.now)}
${editable && nextSteps(draft.id, draft.version)}
${!ended && discardForm(fields, open)}
</main>`,
  });
}

/** A warning that several legs have is above them, and not on each card. */
function legCards({ legs, refused }: DraftSheet, forms: FormFields | undefined): Html {
  const shared = findSharedTexts(legs.map(({ number, ticket }) => ({ number, texts: ticket?.ticket.warnings ?? [] })));
  const props = {
    forms,
    isOnly: legs.length === 1,
    isDraftRefused: refused !== undefined,
    sharedWarnings: new Set(shared.map(({ text }) => text)),
  };
  return html`
<section aria-labelledby="legs"><h2 id="legs">Orders, in the sequence of the draft</h2>
${shared.length > 0 && html`<ul class="notes">${shared.map((one) => html`<li>${describeSharedText(one, legs.length)}</li>`)}</ul>`}
<ol class="legs">${legs.map((leg) => legCard(leg, props))}</ol>
</section>`;
}

/** The name is the model's or a plan's, so it comes last, in quotes. */
function draftFacts({ draft, accountId, asOf, now }: DraftSheet): readonly Fact[] {
  const shownName = foreignName(draft.name);
  return [
    { label: 'Draft', value: [{ code: draft.id }] },
    { label: 'Version', value: [{ figure: String(draft.version) }] },
    { label: 'Account', value: [accountId === undefined ? 'not read now' : { code: accountId }] },
    { label: 'Environment', value: [draft.environment] },
    { label: 'Expires', value: [toTime(draft.expiresAt, now)] },
    ...(asOf === undefined ? [] : [{ label: 'Account read', value: [toTime(asOf, now)] }]),
    ...(shownName === undefined ? [] : [{ label: 'Name', value: [{ foreign: shownName }] }]),
  ];
}

const nextSteps = (id: string, version: number): Html => html`
<section class="card" aria-labelledby="send"><h2 id="send">To send it</h2>
<p>This page sends nothing. Run <code>brokerage-mcp drafts submit ${id} --version ${version}</code> in a terminal, or ask your assistant to submit version ${version}.</p>
</section>`;

/** In two steps, because a discarded draft cannot be opened again. */
const discardForm = (fields: FormFields, isSending: boolean): Html => html`
<details class="card discard"><summary>Discard this draft</summary>
<p>It is closed for good${isSending && ', and orders that have not left are not sent'}. Orders that were placed stay.</p>
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
export function changeHistory(versions: readonly DraftVersion[], now: number): Html {
  const newest = versions.slice(-maxVersions).toReversed();
  return html`
<section class="card" aria-labelledby="changes"><h2 id="changes">Changes</h2>
<table class="history">
${versions.length > maxVersions && html`<caption>The last ${maxVersions} of ${versions.length} versions</caption>`}
<thead><tr><th scope="col" class="number">Version</th><th scope="col">By</th><th scope="col">What</th></tr></thead>
<tbody>${newest.map((one) =>
    historyRow(
      one,
      versions.find(({ version }) => version === one.version - 1),
      now,
    ),
  )}</tbody></table>
</section>`;
}

const historyRow = (one: DraftVersion, before: DraftVersion | undefined, now: number): Html =>
  html`<tr><td class="number">${one.version}</td><td>${channels[one.channel]} <span class="soft">${toTime(one.createdAt, now)}</span></td><td>${describeChange(one, before?.legs ?? [])}</td></tr>`;

function describeChange({ channel, edit, legs }: DraftVersion, before: readonly DraftLeg[]): Html | string {
  const leg = edit && before[edit.leg - 1];
  if (!edit || !leg) return `${countOf(legs.length, 'leg')}${channel === 'submission' ? ' that were not sent' : ''}`;
  const order = html`${leg.side} <bdi class="ticker">${leg.ticker}</bdi>`;
  if (edit.kind === 'remove')
    return html`Leg ${edit.leg} removed: ${leg.side} ${groupThousands(leg.quantity)} × <bdi class="ticker">${leg.ticker}</bdi>`;
  if (edit.kind === 'quantity')
    return html`Leg ${edit.leg}, ${order}: quantity ${groupThousands(leg.quantity)} → <b>${groupThousands(edit.quantity)}</b>`;
  return html`Leg ${edit.leg}, ${order}: limit price ${groupThousands(leg.limitPrice ?? '')} → <b>${groupThousands(edit.limitPrice)}</b>`;
}

// Tables of all legs of a draft at a glance: one line for each, and the weights of a plan.

/** One line for each leg, which leads to its card. */
function legOverview(legs: readonly SheetLeg[], isDraftRefused: boolean): Html {
  const currency = legs.find(({ ticket }) => ticket?.ticket.estimate.currency)?.ticket?.ticket.estimate.currency;
  const refused = legs.filter(({ refusal }) => refusal).length;
  return html`
<section class="card" aria-labelledby="overview"><h2 id="overview">At a glance</h2>
<table class="overview">
<caption>${refused === 0 ? (isDraftRefused ? 'The draft is refused now' : 'Every leg passes the rules now') : `${refused} of ${countOf(legs.length, 'leg')} ${refused === 1 ? 'is' : 'are'} refused now`}; values are estimates in ${currency ?? 'the account’s currency'}</caption>
<thead><tr><th scope="col" class="number">Leg</th><th scope="col">Order</th><th scope="col" class="number">Value</th><th scope="col">Rules</th></tr></thead>
<tbody>${legs.map(overviewRow)}</tbody></table>
</section>`;
}

const overviewRow = ({ number, leg, ticket, refusal }: SheetLeg): Html => {
  const { value, assumed } = ticket?.ticket.estimate ?? {};
  return html`<tr><td class="number">${number}</td><th scope="row"><a href="#leg-${number}">${orderTitle(leg)}</a></th
><td class="number">${assumed ? html`${groupThousands(assumed.value)} assumed` : value === undefined ? 'unknown' : groupThousands(value)}</td><td>${
    ticket ? (refusal ? html`<b class="result bad">refused</b>` : 'pass') : 'unknown'
  }</td></tr>`;
};

/** Percentages of the tickers of a plan; nothing for a draft that no plan computed. */
const weightTable = (weights: readonly DraftWeight[] | undefined): Html | false =>
  weights !== undefined &&
  weights.length > 0 &&
  html`
<section class="card" aria-labelledby="weights"><h2 id="weights">Weights</h2>
<table class="weights">
<caption>In percent of the planned tickers, at the prices of the plan; after the legs as they are now. Tickers without an order are not listed.</caption>
<thead><tr><th scope="col">Ticker</th><th scope="col" class="number">Before</th><th scope="col" class="number">Target</th><th scope="col" class="number">After</th></tr></thead>
<tbody>${weights.map(
    ({ ticker, before, target, after }) =>
      html`<tr><th scope="row"><bdi class="ticker">${ticker}</bdi></th><td class="number">${toPercent(before)}</td><td class="number">${
        target === undefined ? 'none' : toPercent(target)
      }</td><td class="number"><b>${toPercent(after)}</b></td></tr>`,
  )}</tbody></table>
</section>`;

const toPercent = (value: string): string => new Big(value).toFixed(2);
