/** Drafts to show for approval. */

import type { DraftLegTicket, DraftTicket } from '../../../../src/core/orders/intent/draft-approval.ts';
import type { ShownDraftTicket } from '../../../../src/features/drafts/submission/draft-approvals.ts';
import { limitBuy, marketSell } from '../../../core/approval/page/support.ts';

const { intentId: _, cash: __, ...buyTicket } = limitBuy;
const { intentId: ___, cash: ____, ...sellTicket } = marketSell;

export const sellLeg: DraftLegTicket = {
  number: 2,
  ticket: sellTicket,
  priceThen: '230',
  priceNow: '227.7',
  isPriceAssumed: false,
  isDependent: false,
};

export const buyLeg: DraftLegTicket = {
  number: 1,
  ticket: buyTicket,
  priceThen: '71.25',
  priceNow: undefined,
  isPriceAssumed: true,
  isDependent: true,
};

/** A sell and a buy; the sell is sent first although it is the second leg of the draft. */
export const twoLegs: DraftTicket = {
  submissionId: '5'.repeat(32),
  draftId: 'd'.repeat(16),
  version: 3,
  environment: 'live',
  legs: [sellLeg, buyLeg],
  totals: {
    bought: '890.63',
    sold: '512.40',
    currency: 'GBP',
    unknownValues: 0,
    worst: '908.44',
    charges: '4.45',
    cash: { before: '24202.35', after: '23819.67' },
    largestPercent: '4.2',
    largestShare: { ticker: 'QBRAMl_EQ', percent: '4.3' },
  },
};

/** The text that a person reads, one line for each fact. */
export const textOf = ({ markup }: { markup: string }) =>
  markup
    .replace(/<\/(?:dt|h2|th)>/g, ': ')
    .replace(/<\/dd><dd class="note">/g, ' | ')
    .replace(/<\/(?:div|li|tr|p|section|caption|h4|summary)>|<(?:ul|dl|table|tbody)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);

/** The two legs as they wait for a decision. */
export const waitingDraft: ShownDraftTicket = {
  ...{ ticket: twoLegs, digest: 'digest-1', secondsLeft: 118, wrongPassphrases: undefined },
  report: {
    ...{ submissionId: twoLegs.submissionId, draftId: twoLegs.draftId, version: 3, outcome: 'pending_approval' },
    ...{ message: 'FOR THE MODEL', next: 'FOR THE MODEL', endsAt: '2026-11-20T15:15:00.000Z', warnings: [] },
    legs: [{ leg: 1, order: 'LEG 1', outcome: 'waiting' }],
  },
};

/** Each order of a page: the line that is always in sight, whether it is open from the start, and what is below it. */
export const rowsOf = ({ markup }: { markup: string }) =>
  markup
    .split('<li class="order"')
    .slice(1)
    .map((row) => ({
      id: /^ id="([\w-]+)"/.exec(row)?.[1],
      isOpen: row.includes('<details open>'),
      line: (/<summary>([\s\S]*?)<\/summary>/.exec(row)?.[1] ?? '')
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
      facts: textOf({ markup: /<div class="order-facts">([\s\S]*?)<\/div>\n<\/details><\/li>/.exec(row)?.[1] ?? '' }),
    }));
