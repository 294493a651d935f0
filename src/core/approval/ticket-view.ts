/** What a channel shows of an order that waits, or waited, for a person. */
import type { Clock } from '../clock.ts';
import type { TicketView, WrongPassphrases } from '../orders/intent/approval-port.ts';
import type { Intent } from '../orders/intent/intent.ts';
import { isOverdue } from '../orders/intent/intent-status.ts';
import { toOutcome } from '../orders/intent/outcome.ts';
import type { Journal } from '../orders/intent/ports.ts';
import { readWrongPassphrases } from './enrollment/enrollment.ts';

interface TicketDeps {
  readonly journal: Journal;
  readonly clock: Clock;
}

/** The page of a ticket shows its outcome for this long. */
const shownMs = 24 * 3_600_000;

/** The ticket of an intent; undefined when there is none, or when it needs no approval. */
export const viewTicket = ({ journal, clock }: TicketDeps, intentId: string): Promise<TicketView | undefined> =>
  journal.read(async (tx) => toView(await tx.find(intentId), clock.now(), await readWrongPassphrases(tx)));

/** The ticket with a handle, while its page is shown. */
export const viewTicketByHandle = ({ journal, clock }: TicketDeps, handle: string): Promise<TicketView | undefined> =>
  journal.read(async (tx) => {
    const now = clock.now();
    const [intent] = await tx.list({ handle, createdSince: now - shownMs, limit: 1 });
    return intent && toView(intent, now, await readWrongPassphrases(tx));
  });

/** The tickets that wait for a person, oldest first. */
export const listWaitingTickets = ({ journal, clock }: TicketDeps): Promise<TicketView[]> =>
  journal.read(async (tx) => {
    const wrong = await readWrongPassphrases(tx);
    const now = clock.now();
    const intents = await tx.list({ states: ['AWAITING_APPROVAL'] });
    return intents
      .filter((intent) => !isOverdue(intent, now))
      .flatMap((intent) => toView(intent, now, wrong) ?? [])
      .reverse();
  });

function toView(
  intent: Intent | undefined,
  now: number,
  wrongPassphrases: WrongPassphrases | undefined,
): TicketView | undefined {
  if (!intent?.approval) return undefined;
  const { approval } = intent;
  const waits = intent.state === 'AWAITING_APPROVAL' && !isOverdue(intent, now);
  const { message, reason } = toOutcome(intent, now);
  return {
    ticket: approval.ticket,
    state: intent.state === 'AWAITING_APPROVAL' && !waits ? 'EXPIRED' : intent.state,
    message: waits ? 'The order is waiting for your decision; nothing has been sent.' : message,
    reason,
    orderId: intent.orderId,
    digest: approval.digest,
    secondsLeft: waits ? Math.ceil((approval.expiresAt - now) / 1000) : 0,
    wrongPassphrases: waits ? wrongPassphrases : undefined,
  };
}
