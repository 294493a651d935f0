/** What allowed an order to leave: an approved ticket where an approval is required, and otherwise a call. */
import Big from 'big.js';
import { isSame, type Order, toOrder } from './order.ts';
import type { Decision, Setup, Stop } from './record.ts';
import {
  type CallWithAnswer,
  includesOrder,
  inSendingOrder,
  legsOf,
  type Placed,
  type Post,
  type ShownWithDecisions,
  type Timeline,
} from './timeline.ts';

export interface Permission {
  readonly from: 'ticket' | 'call';
  /** Of the ticket, or of the call. */
  readonly line: number;
  readonly at: number;
  /** In the sequence in which they may leave. */
  readonly orders: readonly Order[];
  /** What one attempt to send a version of a draft is called; undefined for a single order. */
  readonly draft: { readonly draftId: string; readonly version: number; readonly attempt: string } | undefined;
  /** Different for each wanted repetition of an order; undefined when it is none. */
  repetitionOf(order: Order): string | undefined;
  /** Why this order may not leave at this moment; undefined when it may. */
  refusal(post: Post): Refusal | undefined;
}

export interface Refusal {
  readonly rule: string;
  readonly why: string;
}

const minutes = 60_000;
/** How long after its approval, or its call, the legs of a draft may leave. */
const draftMs = 15 * minutes;
const ticketMs = 120_000;
const msPerLeg = 10_000;
const longestTicketMs = 300_000;

export const needsApproval = (timeline: Timeline, { line }: Post): boolean =>
  timeline.setupAt(line).approval !== 'none';

export function permissionsOf(timeline: Timeline): readonly Permission[] {
  return [
    ...timeline.shown.map((shown) => fromTicket(timeline, shown)),
    ...timeline.calls.flatMap((call) => fromCall(timeline, call) ?? []),
  ];
}

/** Of the same kind as this order needs. */
export const permissionsFor = (timeline: Timeline, all: readonly Permission[], post: Post): readonly Permission[] => {
  const from = needsApproval(timeline, post) ? 'ticket' : 'call';
  return all.filter((one) => one.line < post.line && one.from === from);
};

function fromTicket(timeline: Timeline, shown: ShownWithDecisions): Permission {
  const { draft, orders, repetitions = [] } = shown;
  const permission: Permission = {
    from: 'ticket',
    line: shown.line,
    at: shown.at,
    orders,
    draft: draft && { ...draft, attempt: shown.id },
    repetitionOf: (order) => (repetitions.some((place) => isSameAt(orders, place, order)) ? shown.id : undefined),
    refusal: (post) => ticketRefusal(timeline, shown, post) ?? stopRefusal(timeline, permission, post),
  };
  return permission;
}

const isSameAt = (orders: readonly Order[], place: number, order: Order) => {
  const at = orders[place];
  return at !== undefined && isSame(at, order);
};

function ticketRefusal(timeline: Timeline, shown: ShownWithDecisions, post: Post): Refusal | undefined {
  const { draft, orders, expiresAt, ends } = shown;
  const setup = timeline.setupAt(post.line);
  const before = shown.decisions.filter(({ line }) => line < post.line);
  const approval = before.find((decision) => approves(decision, shown, setup));
  const rejection = before.find(({ action }) => action === 'reject');
  if (rejection && (!approval || rejection.line < approval.line)) return { rule: 'declined', why: 'it was declined' };
  if (!approval) {
    const why = before.length > 0 ? 'its ticket was answered without approving it' : 'its ticket was not approved';
    return { rule: 'not_approved', why };
  }
  const longest = draft ? Math.min(longestTicketMs, ticketMs + msPerLeg * Math.max(0, orders.length - 3)) : ticketMs;
  if (expiresAt - shown.at > longest) return { rule: 'expired', why: 'its ticket was open for too long' };
  if (approval.at >= expiresAt) return { rule: 'expired', why: 'it was approved after its ticket had expired' };
  const end = ends?.endsAt ?? (draft ? approval.at + draftMs : expiresAt);
  if (post.at >= end + setup.writeMs) return { rule: 'expired', why: 'its approval had expired' };
  return undefined;
}

/** Whether this decision is an approval: the passphrase, or a form with what had to be typed. */
function approves(
  { where, action, passphrase, content }: Decision,
  { orders, draft }: ShownWithDecisions,
  setup: Setup,
) {
  if (action !== 'approve') return false;
  if (where !== 'form') return passphrase === 'right';
  if (setup.approval !== 'elicitation') return false;
  if (!draft) return isDecimal(content?.confirmQuantity, orders[0]?.quantity);
  return isDecimal(content?.confirmLegs, String(orders.length)) && isDecimal(content?.confirmTotal);
}

function isDecimal(value: unknown, wanted?: string): boolean {
  const text = String(value ?? '').trim();
  if (!/^\d+(\.\d+)?$/.test(text)) return false;
  return wanted === undefined || new Big(text).eq(wanted);
}

const placeTool = /^place_(limit|market|stop|stop_limit)_order$/;

/** The order that a call places; undefined when it is another call. */
export function orderOfCall({ tool, args }: Pick<CallWithAnswer, 'tool' | 'args'>): Order | undefined {
  const type = placeTool.exec(tool)?.[1];
  return type === undefined ? undefined : toOrder(args, type);
}

function fromCall(timeline: Timeline, call: CallWithAnswer): Permission | undefined {
  const { args, line, at } = call;
  const repeatOf = typeof args.repeatOf === 'string' ? args.repeatOf : undefined;
  const order = orderOfCall(call);
  const { draftId, version } = args;
  const isDraft = call.tool === 'submit_draft' && typeof draftId === 'string' && typeof version === 'number';
  if (!order && !isDraft) return undefined;
  const permission: Permission = {
    from: 'call',
    line,
    at,
    orders: order ? [order] : inSendingOrder(legsOf(timeline, String(draftId), Number(version))),
    draft: order ? undefined : { draftId: String(draftId), version: Number(version), attempt: repeatOf ?? 'first' },
    repetitionOf: () => (order || wasSubmitted(timeline, call) ? repeatOf : undefined),
    refusal: (post) => callRefusal(timeline, call, post) ?? stopRefusal(timeline, permission, post),
  };
  return permission;
}

/** A repetition repeats a version; what an earlier version left has not been sent yet. */
const wasSubmitted = ({ calls }: Timeline, { line, args }: CallWithAnswer) =>
  calls.some(
    (other) =>
      other.tool === 'submit_draft' &&
      other.line < line &&
      other.args.draftId === args.draftId &&
      other.args.version === args.version &&
      other.args.repeatOf !== args.repeatOf,
  );

/** With these nothing was sent, and nothing follows. */
const closing = new Set(['not_sent', 'rejected', 'refused', 'declined', 'expired']);

function callRefusal(
  timeline: Timeline,
  { answer, cancel, at, tool }: CallWithAnswer,
  post: Post,
): Refusal | undefined {
  const { writeMs } = timeline.setupAt(post.line);
  const outcome = String(answer?.body.outcome);
  if (answer && answer.line < post.line && closing.has(outcome))
    return { rule: 'denied', why: `its call had been answered with ${outcome}` };
  if (cancel && cancel.line < post.line && post.at > cancel.at + writeMs)
    return { rule: 'after_cancel', why: 'its call had been cancelled' };
  if (tool === 'submit_draft' && post.at > at + draftMs + writeMs)
    return { rule: 'expired', why: 'the time to send its draft was over' };
  return undefined;
}

/** A draft that was discarded, halted or changed sends no further leg. */
function stopRefusal(timeline: Timeline, { draft, line }: Permission, post: Post): Refusal | undefined {
  if (!draft) return undefined;
  const { stops, versions } = timeline;
  const changed = versions.some(
    (one) =>
      one.isEdit && one.draftId === draft.draftId && one.version > draft.version && !isAfter(one, post, draft.version),
  );
  if (changed) return { rule: 'other_version', why: `version ${draft.version} of its draft had been changed` };
  const stop = stops.find(
    (one) =>
      (one.draftId === undefined || one.draftId === draft.draftId) &&
      one.line > line &&
      one.line < post.line &&
      !wasOnItsWay(timeline, one, post),
  );
  if (!stop) return undefined;
  return stop.draftId === undefined
    ? { rule: 'after_halt', why: 'trading had been halted while its draft was sent' }
    : { rule: 'after_stop', why: 'its draft had been discarded' };
}

/** A change that followed when the draft was over concerns a version that a stop had left. */
const isAfter = ({ version, line }: { version: number; line: number }, post: Post, sent: number) =>
  version > sent + 1 && line > post.line;

/** An order that was being written when a stop was acknowledged may arrive after it: one, and soon. */
export function wasOnItsWay(timeline: Timeline, stop: Placed<Stop>, post: Post): boolean {
  const first = timeline.posts.find(({ line, isRefusedForRate }) => line > stop.line && !isRefusedForRate);
  const isKnown = stop.onItsWay && post.order ? stop.onItsWay.includes(post.order.quantity) : true;
  return first?.line === post.line && isKnown && post.at - stop.at < timeline.setupAt(post.line).writeMs;
}

export const allows = (permission: Permission, post: Post): boolean =>
  post.order ? includesOrder(permission.orders, post.order) : permission.orders.some(({ type }) => type === post.type);
