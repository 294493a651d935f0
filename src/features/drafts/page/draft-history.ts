/** Which versions a draft had, who made each, and what a person changed. */

import { groupThousands } from '../../../core/approval/page/amounts.ts';
import { type Html, html } from '../../../core/approval/page/html.ts';
import { toTime } from '../../../core/approval/page/labels.ts';
import { countOf } from '../../../core/text/count-of.ts';
import type { DraftChannel, DraftLeg, DraftVersion } from '../book/draft.ts';

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
