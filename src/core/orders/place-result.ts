/** The result of a place tool: the outcome and, while the order waits, where the human approves it. */

import { BrokerageError, hasCode, isAbort } from '../errors.ts';
import { log } from '../log.ts';
import { describeWay, methodFacts } from './intent/approval-methods.ts';
import type { Ticket } from './intent/approval-port.ts';
import { type Intent, isApprovalOver } from './intent/intent.ts';
import type { ApprovalChannels } from './intent/journal-port.ts';
import { type OrderOutcome, toOutcome } from './intent/outcome.ts';
import type { Refusal } from './intent/refusal.ts';

/** What the caller shows to the human: a form, or an address to open. The response names the nonce. */
interface ApprovalPrompt {
  readonly nonce: string;
  readonly ticket: Ticket;
  readonly address?: string | undefined;
  /** What was wrong with the form before. */
  readonly problem?: string | undefined;
}

/** The result of a place tool. */
export interface PlaceReply extends OrderOutcome {
  /** The call matched an earlier one: both have one order. */
  readonly coalesced?: true | undefined;
  readonly approval?: WhereToApprove | undefined;
  /** For an order that was placed now: what its preview warns of. */
  readonly warnings?: readonly string[] | undefined;
  readonly ask?: ApprovalPrompt | undefined;
}

interface WhereToApprove {
  readonly method: string;
  readonly how: string;
  readonly address?: string | undefined;
  readonly secondsLeft: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** What the human is shown. It holds facts only, no text of the caller. */
  readonly ticket: Pick<Ticket, 'instrument' | 'estimate' | 'warnings'>;
}

/** What the caller can show to its user. */
export interface PromptCapabilities {
  readonly canAsk?: boolean | undefined;
  readonly canOpen?: boolean | undefined;
}

/** Why the current state of an earlier order could not be read. */
export interface Unread {
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
}

/** Builds the result for an intent. With `isOld` the intent is an earlier equal order, and nothing was placed. */
export async function buildPlaceResult(
  intent: Intent,
  options: PromptCapabilities & { readonly isOld: boolean; readonly now: number; readonly channels: ApprovalChannels },
): Promise<PlaceReply> {
  const result = toOutcome(intent, options.now);
  const waiting = await whereToApprove(intent, options);
  if (!options.isOld) return { ...result, ...waiting, ...(intent.earlier ? { coalesced: true } : {}) };
  const status = result.status === undefined ? '' : ` Its status is ${result.status}.`;
  const name = intent.orderId === undefined ? `the order of intent ${intent.id}` : `order ${intent.orderId}`;
  return {
    ...result,
    ...waiting,
    coalesced: true,
    message: `Nothing new was sent: this equals ${name}. ${result.outcome === 'placed' ? `The broker accepted it before.${status}` : result.message}`,
    next: result.outcome === 'placed' ? `${followStep(result)} ${repeatStep}` : result.next,
  };
}

const repeatStep = 'To place a second identical order, send repeatOf with this intentId.';

/** An order that was filled has nothing left to follow. */
const followStep = ({ status, mismatch, next }: OrderOutcome): string =>
  status === 'FILLED' && mismatch === undefined ? 'Call get_order with the orderId for its fills.' : next;

/** The result for an earlier order whose state could not be read: it may still be live. */
export function replyUnread(intent: Intent, { reason, retryAfterSeconds }: Unread, now: number): PlaceReply {
  return {
    ...toOutcome(intent, now),
    outcome: 'unknown',
    status: undefined,
    coalesced: true,
    message: `Nothing new was sent: this equals order ${intent.orderId}. Its current state could not be read, so it MAY be live. Do not place it again.`,
    reason,
    next: 'Call get_order with this intentId.',
    retryAfterSeconds,
  };
}

const orderWords = { what: 'the order', asked: 'the quantity', command: 'approve' };

async function whereToApprove(
  { approval, method, state }: Intent,
  options: PromptCapabilities & { readonly now: number; readonly channels: ApprovalChannels },
): Promise<Pick<PlaceReply, 'approval' | 'ask'>> {
  if (state !== 'AWAITING_APPROVAL' || !approval || method === 'none' || isApprovalOver(approval, options.now))
    return {};
  const { nonce, ticket, handle, expiresAt, form } = approval;
  const { hostOpens } = methodFacts[method];
  const address = hostOpens === 'page' ? await options.channels.pageUrl(handle) : undefined;
  const asksForm = hostOpens === 'form' && options.canAsk;
  const asksPage = address !== undefined && options.canOpen;
  return {
    approval: {
      method,
      how: describeWay(method, { address, form, canAsk: options.canAsk, words: orderWords }),
      address,
      secondsLeft: Math.ceil((expiresAt - options.now) / 1000),
      expiresAt: new Date(expiresAt).toISOString(),
      ticket: { instrument: ticket.instrument, estimate: ticket.estimate, warnings: ticket.warnings },
    },
    ask: asksForm ? { nonce, ticket } : asksPage ? { nonce, ticket, address } : undefined,
  };
}

// The refusal of an order that could not be recorded: without the journal no order is sent.

/**
 * Why nothing was sent after a failure. Nothing after the commit throws, so every error comes from before it.
 * Errors that the caller has to fix are thrown again.
 */
export function toStoreRefusal(error: unknown): Refusal {
  if (hasCode(error, 'store_unavailable'))
    return { rule: 'store_unavailable', reason: `${error.message} No order is sent without it. ${error.next}` };
  if (error instanceof BrokerageError || isAbort(error)) throw error;
  log.fault('place an order', error);
  return { rule: 'internal', reason: 'Internal error in brokerage-mcp before the order was sent.' };
}

/** The result of a place tool after such a failure. */
export function refusedByStore(error: unknown, intentId: string): PlaceReply {
  const refusal = toStoreRefusal(error);
  return {
    outcome: 'refused',
    intentId,
    ...refusal,
    message: 'This server refused the order; nothing was sent.',
    next:
      refusal.rule === 'store_unavailable'
        ? 'Tell the user; call get_server_status for the state of the store.'
        : 'Tell the user that this server has a fault. Place the order again only if the user still wants it.',
  };
}
