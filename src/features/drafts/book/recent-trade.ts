/** A trade that a draft made a moment ago: two drafts are often one intention, sent twice. */

import { duplicateWindowMs } from '../../../core/orders/intent/duplicates.ts';
import { getPlacedAt, type LegReference } from '../../../core/orders/intent/intent.ts';
import type { JournalView } from '../../../core/orders/intent/journal-port.ts';
import type { OrderRequest } from '../../../core/orders/intent/order-request.ts';
import { countOf, secondsOf } from '../../../core/text/count-of.ts';

export interface RecentTrade {
  /** The attempt that sent it, which `repeatOf` must name. */
  readonly submissionId: string;
  /** When its ten minutes are over (ms). */
  readonly until: number;
  /** One sentence for a refusal or a warning, which a person reads too. It names the attempt. */
  readonly text: string;
}

/** The newest leg that traded the ticker in the same direction in the last ten minutes; undefined when none did. */
export async function findRecentTrade(
  tx: JournalView,
  { ticker, side }: Pick<OrderRequest, 'ticker' | 'side'>,
  { accountKey, now }: { readonly accountKey: string; readonly now: number },
): Promise<RecentTrade | undefined> {
  const sent = await tx.list({ accountKey, ticker, createdSince: now - 2 * duplicateWindowMs });
  for (const intent of sent) {
    const { leg, request, state } = intent;
    // It was to be sent, and nothing of it was written.
    if (state === 'NOT_SENT') continue;
    const sentAt = intent.sentAt === undefined ? 0 : getPlacedAt(intent, now);
    if (leg && request.side === side && sentAt > now - duplicateWindowMs)
      return {
        submissionId: leg.submissionId,
        until: sentAt + duplicateWindowMs,
        text: explain(leg, request, now - sentAt),
      };
  }
  return undefined;
}

const explain = ({ submissionId }: LegReference, { side, quantity, ticker }: OrderRequest, agoMs: number): string =>
  `A draft sent ${side} ${quantity} ${ticker} ${sayAge(agoMs)} ago, in submission ${submissionId}.`;

const minuteMs = 60_000;

const sayAge = (ms: number): string => (ms < minuteMs ? secondsOf(ms) : countOf(Math.floor(ms / minuteMs), 'minute'));
