/** Approvals in memory, tickets to show, and requests as a browser, a program or an attacker sends them. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { findOrders } from '../../../../src/core/approval/page/order-page.ts';
import { startApprovalPage } from '../../../../src/core/approval/page/serve-page.ts';
import type { Approvals, Decision, Ticket, TicketView } from '../../../../src/core/orders/intent/approval-port.ts';
import type { PublicPage } from '../../../../src/core/settings/config.ts';
import { type DraftDecisions, findDrafts } from '../../../../src/features/drafts/page/draft-approval-page.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

export const handle = 'h4ndle-of_22-random-chars';
export const passphrase = 'correct horse & battery=staple ü';

export const limitBuy: Ticket = {
  intentId: 'intent-1',
  environment: 'live',
  order: {
    type: 'LIMIT',
    ticker: 'QBRAMl_EQ',
    side: 'BUY',
    quantity: '1250',
    limitPrice: '71.25',
    timeValidity: 'GOOD_TILL_CANCEL',
  },
  instrument: { name: 'Brambleford Group plc', isin: 'GB00QBRAM001', type: 'STOCK', currency: 'GBX' },
  estimate: {
    value: '890.63',
    worst: '908.44',
    currency: 'GBP',
    percentOfAccount: '4.2',
    price: '71.25',
    priceFrom: 'limitPrice',
    lastKnownPrice: '75',
  },
  position: { before: '400', after: '1650' },
  cash: { before: '24202.35', after: '23311.72' },
  pendingOnTicker: [
    { side: 'BUY', type: 'LIMIT', quantity: '500', limitPrice: '69.8', stopPrice: undefined },
    { side: 'SELL', type: 'STOP_LIMIT', quantity: '400', limitPrice: '60.5', stopPrice: '61.25' },
  ],
  isRepetition: false,
  warnings: ['Prices of this instrument are in pence (GBX).'],
};

export const marketSell: Ticket = {
  ...limitBuy,
  order: { type: 'MARKET', ticker: 'AAPL_US_EQ', side: 'SELL', quantity: '3', extendedHours: true },
  instrument: { name: 'Apple Inc.', isin: 'US0378331005', type: 'STOCK', currency: 'USD' },
  estimate: {
    value: '512.4',
    worst: '512.4',
    currency: 'GBP',
    percentOfAccount: '2.4',
    price: '227.5',
    priceFrom: 'lastKnownPrice',
    lastKnownPrice: '227.5',
  },
  position: { before: '10.5', after: '7.5' },
  cash: { before: '24202.35', after: '24714.75' },
  pendingOnTicker: [],
  warnings: [],
};

export const viewOf = (ticket: Ticket, change: Partial<TicketView> = {}): TicketView => ({
  ticket,
  state: 'AWAITING_APPROVAL',
  message: 'The order waits for your approval; nothing has been sent.',
  reason: undefined,
  orderId: undefined,
  digest: 'digest-1',
  secondsLeft: 118,
  ...change,
});

export interface MemoryApprovals extends Approvals {
  /** What the page shows; a test changes it as the order manager would. */
  current: TicketView;
  /** Every call that could decide something. */
  readonly calls: unknown[];
  /** The result of `approve`, instead of checking the passphrase. */
  nextDecision: Decision | undefined;
  looks: number;
}

export function memoryApprovals(first: TicketView): MemoryApprovals {
  const change = (part: Partial<TicketView>) => {
    approvals.current = { ...approvals.current, secondsLeft: 0, ...part };
  };
  const notWaiting = (): Decision | undefined =>
    approvals.current.state === 'AWAITING_APPROVAL'
      ? undefined
      : { kind: 'not_waiting', state: approvals.current.state };
  const approvals: MemoryApprovals = {
    current: first,
    calls: [],
    nextDecision: undefined,
    looks: 0,
    viewByHandle: async (asked) => {
      approvals.looks++;
      return asked === handle ? approvals.current : undefined;
    },
    view: async () => approvals.current,
    waiting: async () => [approvals.current],
    approve: async (answer) => {
      approvals.calls.push({ approve: answer });
      if (approvals.nextDecision) return approvals.nextDecision;
      const not = notWaiting();
      if (not) return not;
      if (answer.digest !== approvals.current.digest) return { kind: 'changed' };
      if (answer.passphrase !== passphrase) return { kind: 'wrong_passphrase', attemptsLeft: 4, retryAfterSeconds: 2 };
      change({ state: 'APPROVED', message: 'Approved; the order is about to be sent.' });
      return { kind: 'approved' };
    },
    reject: async (answer) => {
      approvals.calls.push({ reject: answer });
      const not = notWaiting();
      if (not) return not;
      change({ state: 'DECLINED', message: 'You rejected the order; nothing was sent.' });
      return { kind: 'rejected' };
    },
  };
  return approvals;
}

/** No draft waits. */
export const noDrafts: DraftDecisions = {
  viewByHandle: async () => undefined,
  approve: async () => ({ kind: 'not_waiting' }),
  reject: async () => ({ kind: 'not_waiting' }),
  stop: async () => ({ kind: 'not_waiting' }),
};

export const startAt = Date.parse('2026-11-20T15:00:00Z');

/** A page over one ticket, and the ways to send requests to it. */
export async function setup(
  view: TicketView = viewOf(limitBuy),
  drafts: DraftDecisions = noDrafts,
  publicPage?: PublicPage,
) {
  const approvals = memoryApprovals(view);
  const page = await startApprovalPage({
    subjects: [findOrders(approvals), findDrafts(drafts)],
    clock: createManualClock({ startAt }),
    publicPage,
  });
  onTestFinished(() => page.close());
  const address = page.getUrl(handle);
  const send = (options: Sent = {}) => sendTo(options.url ?? address, options);
  /** The form of the ticket as a browser gets it: its fields, and the cookie that goes with it. */
  const open = () => loadForm(address);
  /** A decision as the browser submits it, except for what the test changes. */
  const answer = async (fields: Record<string, string>, change: Pick<FormChange, 'headers' | 'without'> = {}) => {
    const { cookie, csrf, digest } = await open();
    return sendForm(address, cookie, { csrf, digest, ...fields }, change);
  };
  return { approvals, page, address, send, open, answer };
}

/** A page with forms as a browser gets it: the fields of its first form, and the cookie that goes with it. */
export async function loadForm(address: string) {
  const { status, headers, text } = await sendTo(address, {});
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const cookie = String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  return { status, text, cookie, csrf: field('csrf'), digest: field('digest'), version: field('version') };
}

/** What a test changes in the request of a form. */
export interface FormChange extends Omit<Sent, 'url'> {
  /** Headers that are left out. */
  readonly without?: readonly string[];
}

/** Sends a form as the page itself does, except for what the test changes. */
export function sendForm(
  address: string,
  cookie: string,
  fields: Record<string, string>,
  { headers, without = [], ...change }: FormChange = {},
) {
  const all: Record<string, string> = {
    origin: new URL(address).origin,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    cookie,
    ...headers,
  };
  for (const name of without) delete all[name];
  return sendTo(address, { method: 'POST', body: new URLSearchParams(fields).toString(), ...change, headers: all });
}

export interface Sent {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The target on the first line of the request, when it differs from that of the URL. */
  readonly target?: string;
}

export function sendTo(url: string, { method = 'GET', headers = {}, body, target }: Sent) {
  type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
  return new Promise<Answer>((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false, ...(target !== undefined && { path: target }) });
    asked.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString('utf8'),
        }),
      );
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
