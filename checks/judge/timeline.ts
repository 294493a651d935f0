/** The record, read once: each event with its place, and what belongs together joined. */
import { describe, isSame, keyOf, type Order, readBody, toOrder, typeOfPath } from './order.ts';
import type { Answer, Call, Cancel, Decision, Ends, Entry, Request, RunRecord, Setup, Shown, Stop } from './record.ts';

/** An event with the place of its line. */
export type Placed<One extends Entry> = One & { readonly line: number };

/** A request for an order. */
export interface Post extends Placed<Request> {
  readonly type: string;
  /** Undefined when its body never arrived completely: it may have been any order of this type. */
  readonly order: Order | undefined;
  /** Fields that no order has. */
  readonly other: readonly string[];
  /** A complete refusal for the rate: the one case in which the same request may follow. */
  readonly isRefusedForRate: boolean;
  /** The service said completely that it does not accept it. */
  readonly isRejected: boolean;
}

export interface CallWithAnswer extends Placed<Call> {
  readonly answer: Placed<Answer> | undefined;
  readonly cancel: Placed<Cancel> | undefined;
}

export interface ShownWithDecisions extends Placed<Shown> {
  readonly decisions: readonly Placed<Decision>[];
  readonly ends: Placed<Ends> | undefined;
}

export interface DraftVersion {
  readonly line: number;
  readonly draftId: string;
  readonly version: number;
  /** In the sequence of the legs. */
  readonly orders: readonly Order[];
  /** Somebody made it in the place of the version before; otherwise it is what a stop left of that. */
  readonly isEdit: boolean;
}

export interface Timeline {
  readonly record: RunRecord;
  readonly posts: readonly Post[];
  readonly calls: readonly CallWithAnswer[];
  readonly shown: readonly ShownWithDecisions[];
  readonly stops: readonly Placed<Stop>[];
  readonly versions: readonly DraftVersion[];
  /** What the owner had set at this line. */
  setupAt(line: number): Setup;
  all<Kind extends Entry['kind']>(kind: Kind): readonly Placed<Extract<Entry, { kind: Kind }>>[];
}

const rejecting = new Set([400, 401, 403, 404, 405, 411, 413, 415, 422]);

export function readTimeline(record: RunRecord): Timeline {
  const placed = record.map((entry, line) => ({ ...entry, line }));
  const all: Timeline['all'] = <Kind extends Entry['kind']>(kind: Kind) =>
    placed.filter((entry): entry is Placed<Extract<Entry, { kind: Kind }>> => entry.kind === kind);
  const answers = new Map(all('answer').map((answer) => [answer.call, answer]));
  const cancels = new Map(all('cancel').map((cancel) => [cancel.call, cancel]));
  const [decisions, ends, setups] = [all('decision'), all('ends'), all('setup')];
  const calls = all('call').map((call) => ({ ...call, answer: answers.get(call.id), cancel: cancels.get(call.id) }));
  const made = all('version').map((version) => ({ ...version, isEdit: true }));
  return {
    record,
    all,
    posts: all('request').flatMap((request) => toPost(request) ?? []),
    calls,
    shown: all('shown').map((one) => ({
      ...one,
      decisions: decisions.filter(({ shown }) => shown === one.id),
      ends: ends.findLast(({ shown }) => shown === one.id),
    })),
    stops: [...all('stop'), ...calls.flatMap(stopsIn)].sort((a, b) => a.line - b.line),
    versions: [...made, ...calls.flatMap(versionsIn)].sort((a, b) => a.line - b.line),
    setupAt: (line) => {
      const found = setups.findLast((setup) => setup.line < line);
      if (!found) throw new Error(`The record says nothing of the settings before line ${line + 1}.`);
      return found;
    },
  };
}

function toPost(request: Placed<Request>): Post | undefined {
  const type = request.method === 'POST' ? typeOfPath(request.path.split('?')[0] ?? '') : undefined;
  if (type === undefined) return undefined;
  const { order, other } = request.body === null ? { order: undefined, other: [] } : readBody(type, request.body);
  const { status, response = '', booked } = request;
  const isRefusedForRate = status !== null && (status === 429 || response.includes('TooManyRequests'));
  const isRejected = status !== null && rejecting.has(status) && booked === undefined && !isRefusedForRate;
  return { ...request, type, order, other, isRefusedForRate, isRejected };
}

/** The version of a draft that an answer tells, with its legs: from the arguments, else from the answer. */
function versionsIn({ tool, args, answer }: CallWithAnswer): readonly DraftVersion[] {
  const { draftId, version } = answer?.body ?? {};
  if (!answer || typeof draftId !== 'string' || typeof version !== 'number') return [];
  if (!['save_draft', 'plan_orders', 'list_drafts'].includes(tool)) return [];
  const rows = tool === 'save_draft' ? args.legs : rowsOf(answer.body);
  if (!Array.isArray(rows)) return [];
  const orders = rows.map((row) => toOrder(row));
  if (!orders.every((order) => order !== undefined)) return [];
  const isEdit = tool === 'save_draft' && args.draftId !== undefined && args.version !== version;
  return [{ line: answer.line, draftId, version, orders, isEdit }];
}

/** A draft that was discarded through its tool. */
const stopsIn = ({ tool, args, answer }: CallWithAnswer): readonly Placed<Stop>[] =>
  tool === 'discard_draft' && answer && answer.body.code === undefined
    ? [{ kind: 'stop', at: answer.at, line: answer.line, draftId: String(args.draftId) }]
    : [];

/** The rows of an answer by the names of their columns. */
function rowsOf({ columns, rows, items }: Answer['body']): unknown {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return items;
  return rows.map((row: readonly unknown[]) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
}

/** The legs of a version as far as the record tells; what a stop left is among the legs of the version before. */
export function legsOf(timeline: Timeline, draftId: string, version: number): readonly Order[] {
  const known = timeline.versions.filter((one) => one.draftId === draftId && one.version <= version);
  return known.toSorted((a, b) => a.version - b.version).at(-1)?.orders ?? [];
}

/** Sells leave first, and otherwise the sequence stays. */
export const inSendingOrder = (orders: readonly Order[]): readonly Order[] => [
  ...orders.filter(({ side }) => side === 'SELL'),
  ...orders.filter(({ side }) => side !== 'SELL'),
];

/** Whether an order may exist because of this request, as far as its sender can know. */
export const mayBeAccepted = ({ isRefusedForRate, isRejected }: Post): boolean => !isRefusedForRate && !isRejected;

export const includesOrder = (orders: readonly Order[], order: Order): boolean =>
  orders.some((one) => isSame(one, order));

export const describePost = ({ order, type }: Post): string => (order ? describe(order) : `${type} without its body`);

export const keyOfPost = ({ order, type }: Post): string => (order ? keyOf(order) : `${type} without its body`);
