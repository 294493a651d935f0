/** Creates what a human sees before approving, from facts alone and without text of the model. */
import { randomBytes } from 'node:crypto';
import Big from 'big.js';
import type { Exchange, Order } from '../endpoints/index.ts';
import { type OrderContext, pendingOnTicker } from '../orders/account/account-snapshot.ts';
import { worstCaseValue } from '../orders/account/estimate.ts';
import { cashLeft } from '../orders/account/exposure.ts';
import type { Ticket } from '../orders/intent/approval-port.ts';
import { type Approval, approvalDigest, type Intent } from '../orders/intent/intent.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';
import { previewOrder } from '../orders/risk/order-preview.ts';
import { formatConstant, toWords } from '../text/count-of.ts';
import { foreignCurrency, foreignInstrument, foreignIsin, foreignWord } from '../text/sanitize-text.ts';

/** The time that a human has to approve an order. */
const approvalTimeoutMs = 120_000;

/** More pending orders than a person reads; a ticket counts the others. */
const maxPendingShown = 20;

/** The account data when a human is asked. */
export interface ApprovalRequestInput {
  readonly facts: OrderContext;
  /** Own orders that the account data may not include yet. */
  readonly own: readonly Intent[];
  readonly exchanges: readonly Exchange[];
}

/** Creates an approval request that expires `approvalTimeoutMs` after `now`, with a random handle and nonce. */
export function createApprovalRequest(intent: Intent, known: ApprovalRequestInput, now: number): Approval {
  const approval = {
    handle: randomBytes(24).toString('base64url'),
    nonce: randomBytes(16).toString('hex'),
    askedAt: now,
    expiresAt: now + approvalTimeoutMs,
    // Converted through JSON, the form in the store, so that every reader computes the digest from the same bytes.
    ticket: JSON.parse(JSON.stringify(createTicket(intent, known, now))) as Ticket,
  };
  return { ...approval, digest: approvalDigest(intent, approval) };
}

/** The facts that a person sees of an order at the time `now` (ms). `assumedPrice` is the caller's, for a value to show. */
export function createTicket(
  intent: Pick<Intent, 'id' | 'environment' | 'accountName' | 'request' | 'limits' | 'repeatOf'>,
  { facts, own, exchanges }: ApprovalRequestInput,
  now: number,
  assumedPrice?: string,
): Ticket {
  const { request } = intent;
  const total = facts.summary.totalValue;
  const preview = previewOrder(request, facts, exchanges, now, intent.limits, own, assumedPrice);
  const { estimate } = preview;
  const worst = request.side === 'BUY' ? worstCaseValue(request, facts)?.toFixed(2) : estimate.value;
  const pending = pendingOnTicker(request.ticker, facts);
  const cash = cashLeft({ facts, own, now }, intent.limits.maxOrderValue);
  const failed = preview.checks.flatMap(({ ok, check, detail }) =>
    ok === false ? [`${formatConstant(toWords(check))}: ${detail}`] : [],
  );
  const { name, isin, type, currencyCode } = facts.instrument;
  return {
    intentId: intent.id,
    environment: intent.environment,
    account: intent.accountName,
    order: request,
    instrument: {
      name: foreignInstrument(name),
      isin: foreignIsin(isin),
      type: foreignWord(type),
      currency: foreignCurrency(currencyCode),
    },
    estimate: {
      value: estimate.value,
      worst,
      currency: estimate.currency,
      percentOfAccount:
        worst !== undefined && total !== undefined && new Big(total).gt(0)
          ? new Big(worst).div(total).times(100).toFixed(1)
          : undefined,
      price: estimate.price,
      priceFrom: estimate.priceFrom,
      lastKnownPrice: estimate.lastKnownPrice,
      assumed: estimate.assumed,
    },
    position: preview.position,
    cash: cash && { before: cash.toFixed(2), after: cashAfter(cash, request, estimate.value) },
    pendingOnTicker: pending.slice(0, maxPendingShown).map(toPending),
    morePending: pending.length > maxPendingShown ? pending.length - maxPendingShown : undefined,
    isRepetition: intent.repeatOf !== undefined,
    warnings: [...preview.warnings, ...failed],
  };
}

const cashAfter = (cash: Big, { side }: OrderRequest, value: string | undefined): string | undefined =>
  value && cash.plus(side === 'BUY' ? new Big(value).times(-1) : value).toFixed(2);

function toPending(order: Order): Ticket['pendingOnTicker'][number] {
  const { quantity, limitPrice, stopPrice } = order;
  return {
    side: foreignWord(order.side) ?? guessSide(quantity),
    type: foreignWord(order.type) ?? 'UNKNOWN',
    quantity: quantity === undefined ? sayValue(order) : new Big(quantity).abs().toFixed(),
    limitPrice,
    stopPrice,
  };
}

const guessSide = (quantity: string | undefined): string =>
  quantity === undefined ? 'UNKNOWN' : quantity.startsWith('-') ? 'SELL' : 'BUY';

/** The broker's apps place orders for an amount of money, which have no number of shares. */
const sayValue = ({ value, currency }: Order): string =>
  value === undefined
    ? 'unknown'
    : ['for', new Big(value).abs().toFixed(), foreignCurrency(currency)].filter(Boolean).join(' ');
