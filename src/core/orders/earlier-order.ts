/**
 * Determines the state of an order that was placed before, for a call that requests an equal order. Only what is
 * read now counts: a failed read does not mean that nothing has changed.
 */
import type { CallContext } from '../broker/types.ts';
import { BrokerageError } from '../errors.ts';
import { type FoundOrder, findEnded, findPending } from './account/find-order.ts';
import type { Intent } from './intent/intent.ts';
import type { JournalChange } from './intent/journal-port.ts';
import type { OrderDeps } from './order-deps.ts';

export type Standing =
  /** It is pending, or has a fill; the intent holds its current status. */
  | { readonly kind: 'stands'; readonly intent: Intent }
  /** It ended without a fill. */
  | { readonly kind: 'ended'; readonly intent: Intent }
  /** It is not pending, and how it ended is not known yet. */
  | { readonly kind: 'gone'; readonly retryAfterSeconds: number }
  /** Nothing could be read about it. */
  | { readonly kind: 'unread'; readonly reason: string; readonly retryAfterSeconds: number | undefined };

/** The wait for the rate limit ends after this long, or earlier so that the order can still be sent. */
const patienceMs = 20_000;
const sendingMs = 20_000;
/** The service may not return a new order for about a second. */
const unreadableMs = 2_000;
/** An order can appear in the history later than it leaves the pending orders. */
const lateRowSeconds = 10;

/**
 * Reads the state of the order of a PLACED intent and records it. Throws errors that do not come from reading the
 * order.
 */
export async function readStanding(
  { broker, journal, clock }: Pick<OrderDeps, 'broker' | 'journal' | 'clock'>,
  intent: Intent & { readonly orderId: string },
  context: CallContext,
  progress: ((message: string) => void) | undefined,
): Promise<Standing> {
  if (intent.endedAs !== undefined) return { kind: 'ended', intent };
  const { orderId } = intent;
  const waitUntil = Math.min(clock.now() + patienceMs, context.deadlineAt - sendingMs);
  const lookUp = async (): Promise<FoundOrder | undefined> => {
    for (;;) {
      const askedAt = clock.now();
      const reading: CallContext = { ...context, notBefore: askedAt, waitUntil };
      const pending = await findPending(broker, orderId, reading);
      if (pending) return pending;
      const readableAt = intent.changedAt + unreadableMs;
      if (askedAt >= readableAt || askedAt < intent.changedAt) {
        const onWait = ({ waitMs }: { waitMs: number }) => {
          const seconds = Math.ceil(waitMs / 1000);
          progress?.(
            `Order ${orderId} is no longer pending; waiting ${seconds} s for the history to show how it ended`,
          );
        };
        return findEnded(broker, orderId, askedAt, { ...reading, onWait }, intent.sentAt);
      }
      await clock.sleep(readableAt - askedAt, context.signal);
    }
  };
  try {
    const found = await lookUp();
    if (!found) return { kind: 'gone', retryAfterSeconds: lateRowSeconds };
    const noted = await journal.change((tx) => noteStatus(tx, intent, found));
    return { kind: noted.endedAs === undefined ? 'stands' : 'ended', intent: noted };
  } catch (error) {
    if (!(error instanceof BrokerageError) || notAboutReading.has(error.code)) throw error;
    const { pending, retryAfterSeconds } = error.facts;
    if (pending === false) return { kind: 'gone', retryAfterSeconds: retryAfterSeconds ?? lateRowSeconds };
    return { kind: 'unread', reason: error.message, retryAfterSeconds };
  }
}

const notAboutReading = new Set<string>(['cancelled', 'store_unavailable', 'not_configured']);

/** A replaced order continues under another id, so REPLACED is not in the list. */
const endsWithoutFill = new Set(['CANCELLED', 'REJECTED', 'EXPIRED']);

/** Records the status that was read with a PLACED intent, and its end if it ended without a fill. */
export async function noteStatus(tx: JournalChange, intent: Intent, { order, fills }: FoundOrder): Promise<Intent> {
  const { status, filledQuantity } = order;
  const hasFill = fills.length > 0 || Number(filledQuantity ?? 0) !== 0;
  const endedAs = status !== undefined && endsWithoutFill.has(status) && !hasFill ? status : undefined;
  if (intent.orderStatus === status && intent.endedAs === endedAs) return intent;
  const noted = await tx.move(intent.id, 'PLACED', { state: 'PLACED', orderStatus: status, endedAs });
  return noted ?? intent;
}
