/** No answer contradicts the log: an order that is denied is not there, and one that is said to be placed is. */
import { describe, isSame, type Order, toOrder } from '../order.ts';
import { orderOfCall } from '../permissions.ts';
import type { Answer } from '../record.ts';
import { type CallWithAnswer, legsOf, type Placed, type Post, type Timeline } from '../timeline.ts';
import type { Rule, Violation } from './rule.ts';

/** These state that no order exists. */
const negative = new Set(['not_sent', 'rejected', 'refused', 'declined', 'expired']);
/** With these nothing of a draft moves any more. */
const ended = new Set(['done', 'stopped', ...negative]);

/** What an answer says of one order. */
interface Statement {
  readonly answer: Placed<Answer>;
  readonly outcome: string;
  readonly orderId: string | undefined;
  readonly intentId: string | undefined;
  readonly order: Order | undefined;
  /** The order, if it is there, left after this line. */
  readonly since: number;
}

export const truthful: Rule = ({ timeline }) => {
  const statements = timeline.calls.flatMap((call) => [...readSingle(timeline, call), ...readLegs(timeline, call)]);
  return [
    ...statements.flatMap((one) => contradiction(timeline, one, statements)),
    ...timeline.calls.flatMap((call) => [...inviting(timeline, call, statements), ...badEnd(call)]),
  ];
};

function readSingle(timeline: Timeline, call: CallWithAnswer): readonly Statement[] {
  const { answer, tool, args } = call;
  const { outcome, intentId, orderId, order } = answer?.body ?? {};
  if (!answer || typeof outcome !== 'string') return [];
  const isAboutIntent = orderOfCall(call) !== undefined || (tool === 'get_order' && args.intentId !== undefined);
  if (!isAboutIntent) return [];
  const first = timeline.calls.find((other) => typeof intentId === 'string' && mentions(other, intentId)) ?? call;
  const named = timeline.all('intent').find((one) => one.intentId === intentId)?.order;
  const asked = named && timeline.calls.find((other) => isFor(other, named));
  return [
    {
      answer,
      outcome,
      orderId: toText(orderId),
      intentId: toText(intentId),
      order: orderOfCall(call) ?? orderOfCall(first) ?? named ?? listed(order),
      since: Math.min(first.line, asked?.line ?? first.line),
    },
  ];
}

const isFor = (call: CallWithAnswer, order: Order) => {
  const placed = orderOfCall(call);
  return placed !== undefined && isSame(placed, order);
};
const mentions = ({ answer }: CallWithAnswer, intentId: string) => answer?.body.intentId === intentId;
const toText = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** An order as the service lists it. */
function listed(order: unknown): Order | undefined {
  if (typeof order !== 'object' || order === null) return undefined;
  const fields = order as Record<string, unknown>;
  const isMarket = fields.type === 'MARKET';
  return toOrder({ ...fields, ...(isMarket ? {} : { timeValidity: fields.timeInForce }) });
}

interface LegBody {
  readonly leg: number;
  readonly outcome: string;
  readonly orderId?: unknown;
}

/** The report of a submission, which `list_drafts` has inside. */
const reportOf = ({ tool, answer }: CallWithAnswer): Record<string, unknown> | undefined => {
  const report = tool === 'list_drafts' ? answer?.body.submission : answer?.body;
  return typeof report === 'object' && report !== null && 'submissionId' in report
    ? (report as Record<string, unknown>)
    : undefined;
};

function readLegs(timeline: Timeline, call: CallWithAnswer): readonly Statement[] {
  const { answer } = call;
  const report = reportOf(call);
  if (!answer || !report || !Array.isArray(report.legs)) return [];
  const { draftId, version, submissionId } = report;
  const orders = legsOf(timeline, String(draftId), Number(version));
  const { since, isWhole } = beginningOf(timeline, String(submissionId), orders.length, report.legs.length);
  if (!isWhole) return [];
  return (report.legs as readonly LegBody[]).map(({ leg, outcome, orderId }) => {
    const isLeft = outcome === 'waiting' && ended.has(String(report.outcome));
    return {
      answer,
      outcome: isLeft ? 'not_sent' : outcome,
      orderId: toText(orderId),
      intentId: `${submissionId} ${leg}`,
      order: orders[leg - 1],
      since,
    };
  });
}

/** The earliest call that asked for what became this submission; legs of unknown versions are not judged. */
function beginningOf({ calls }: Timeline, submissionId: string, known: number, reported: number) {
  const first = calls.find((call) => reportOf(call)?.submissionId === submissionId);
  const { draftId, version } = (first && reportOf(first)) ?? {};
  const asked = calls.filter(
    ({ tool, args, line }) =>
      tool === 'submit_draft' &&
      args.draftId === draftId &&
      args.version === version &&
      (first?.tool !== 'submit_draft' || args.repeatOf === first.args.repeatOf) &&
      line <= (first?.line ?? 0),
  );
  return { since: asked.at(0)?.line ?? -1, isWhole: known === reported };
}

function contradiction(
  timeline: Timeline,
  { answer, outcome, orderId, intentId, order, since }: Statement,
  statements: readonly Statement[],
): readonly Violation[] {
  const { line } = answer;
  const what = order ? describe(order) : 'an order';
  if (outcome === 'placed') {
    const found = timeline.posts.find(({ booked }) => booked !== undefined && booked === orderId);
    const isIt = found && (!order || !found.order || isSame(order, found.order));
    const text = `${what} is said to be placed as ${orderId}, which ${found ? 'is another order' : 'is no order of this log'}.`;
    return isIt ? [] : [{ rule: 'invented', line, text }];
  }
  if (!negative.has(outcome) || !order) return [];
  const own = timeline.posts.filter((post) => post.order && isSame(post.order, order) && post.line > since);
  const isClaimed = (post: Post) =>
    statements.some(
      (other) => other.orderId !== undefined && other.orderId === post.booked && other.intentId !== intentId,
    );
  const booked = own.find((post) => post.line < line && post.booked !== undefined && !isClaimed(post));
  if (booked)
    return [{ rule: 'denied', line, text: `${what} is said to be ${outcome}, and is there as ${booked.booked}.` }];
  const left = own.find((post) => post.line < line && !post.isRefusedForRate && !post.isRejected && !isClaimed(post));
  return left && outcome === 'not_sent' && left.booked === undefined
    ? [{ rule: 'denied', line, text: `${what} is said to be not_sent, and left.` }]
    : [];
}

/** An error invites to call again. */
function inviting(timeline: Timeline, call: CallWithAnswer, statements: readonly Statement[]): readonly Violation[] {
  const { answer, line } = call;
  const order = orderOfCall(call);
  const code = answer?.body.outcome === undefined ? answer?.body.code : undefined;
  if (!answer || !order || typeof code !== 'string' || code === 'cancelled') return [];
  const isShared = timeline.calls.some((other) => {
    const same = other.line !== line && orderOfCall(other);
    return same && isSame(same, order) && other.line < answer.line && (other.answer?.line ?? Infinity) > line;
  });
  const found = timeline.posts.find(
    (post) =>
      post.booked !== undefined &&
      post.order &&
      isSame(post.order, order) &&
      post.line > line &&
      post.line < answer.line,
  );
  const isClaimed = statements.some(({ orderId }) => orderId !== undefined && orderId === found?.booked);
  return found && !isShared && !isClaimed
    ? [{ rule: 'denied', line: answer.line, text: `${describe(order)} was answered with ${code}, and is there.` }]
    : [];
}

/** A draft is done when every leg is placed. */
function badEnd(call: CallWithAnswer): readonly Violation[] {
  const report = reportOf(call);
  if (!call.answer || report?.outcome !== 'done' || !Array.isArray(report.legs)) return [];
  const open = (report.legs as readonly LegBody[]).filter(({ outcome }) => outcome !== 'placed');
  const text = `A draft is said to be done with ${open.length} legs that are not placed.`;
  return open.length > 0 ? [{ rule: 'invented', line: call.answer.line, text }] : [];
}
