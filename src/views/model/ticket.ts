/** Reads the result of a place tool or of get_order as an order ticket. */
import { foreignCurrency, foreignName } from '../../untrusted-text.ts';
import { type Envelope, readFrame } from './envelope.ts';
import { type Fields, toDecimal, toFields, toList, toText, toTexts, toTimestamp } from './fields.ts';

export interface TicketModel {
  readonly frame: Envelope;
  /** `pending_approval`, `placed`, `refused` …; undefined for an order read by its id. */
  readonly outcome: string | undefined;
  readonly status: string | undefined;
  readonly intentId: string | undefined;
  readonly orderId: string | undefined;
  readonly message: string | undefined;
  readonly reason: string | undefined;
  readonly next: string | undefined;
  readonly order: {
    readonly type: string | undefined;
    readonly side: string | undefined;
    readonly ticker: string | undefined;
    /** Number of shares, positive; `side` has the direction. */
    readonly quantity: string | undefined;
    readonly filledQuantity: string | undefined;
    /** In the instrument's currency (pence for GBX). */
    readonly limitPrice: string | undefined;
    readonly stopPrice: string | undefined;
    readonly timeValidity: string | undefined;
    readonly extendedHours: boolean | undefined;
  };
  readonly instrument: { readonly name: string | undefined; readonly currency: string | undefined };
  /** In the account's currency. */
  readonly estimate: {
    readonly value: string | undefined;
    readonly worst: string | undefined;
    readonly currency: string | undefined;
  };
  readonly warnings: readonly string[];
  readonly approval:
    | { readonly how: string | undefined; readonly address: string | undefined; readonly expiresAt: number | undefined }
    | undefined;
}

export function readTicket(answer: Fields): TicketModel | undefined {
  const approval = toFields(answer.approval);
  // The details can be in the result itself or under `ticket`.
  const shown = [answer, toFields(answer.ticket), toFields(approval.ticket)];
  const part = (name: string): Fields =>
    shown.map((fields) => toFields(fields[name])).find((fields) => Object.keys(fields).length > 0) ?? {};
  const request = { ...part('order'), ...part('request') };
  if (toText(answer.outcome) === undefined && Object.keys(request).length === 0) return undefined;
  const instrument = { ...toFields(request.instrument), ...part('instrument') };
  const estimate = part('estimate');
  const frame = readFrame(answer);
  return {
    frame,
    outcome: toText(answer.outcome),
    status: toText(answer.status),
    intentId: toText(answer.intentId),
    orderId: toText(answer.orderId),
    message: toText(answer.message),
    reason: toText(answer.reason),
    next: toText(answer.next),
    order: readOrder(request, instrument),
    instrument: {
      name: foreignName(instrument.name),
      currency:
        foreignCurrency(instrument.currency) ??
        foreignCurrency(instrument.currencyCode) ??
        foreignCurrency(request.currency),
    },
    estimate: {
      value: toDecimal(estimate.value),
      worst: toDecimal(estimate.worst),
      currency: foreignCurrency(estimate.currency),
    },
    warnings: [...new Set(shown.flatMap(({ warnings }) => toTexts(warnings))), ...mismatches(answer.mismatch)],
    approval:
      answer.outcome === 'pending_approval'
        ? {
            how: toText(approval.how),
            address: toText(approval.address),
            expiresAt: computeExpiry(answer, approval, frame),
          }
        : undefined,
  };
}

const readOrder = (request: Fields, instrument: Fields): TicketModel['order'] => ({
  type: toText(request.type),
  // The interface sells with a negative quantity, and a row may have no side.
  side: toText(request.side) ?? (toDecimal(request.quantity)?.startsWith('-') ? 'SELL' : undefined),
  ticker: toText(request.ticker) ?? toText(instrument.ticker),
  quantity: toDecimal(request.quantity)?.replace('-', ''),
  filledQuantity: toDecimal(request.filledQuantity)?.replace('-', ''),
  limitPrice: toDecimal(request.limitPrice),
  stopPrice: toDecimal(request.stopPrice),
  timeValidity: toText(request.timeValidity) ?? toText(request.timeInForce),
  extendedHours: typeof request.extendedHours === 'boolean' ? request.extendedHours : undefined,
});

/** Counts the seconds from the time of the result, because a host may show an old result again. */
function computeExpiry(answer: Fields, approval: Fields, { asOf }: Envelope): number | undefined {
  const named = toTimestamp(approval.expiresAt) ?? toTimestamp(answer.expiresAt);
  if (named !== undefined) return named;
  const seconds = toDecimal(approval.secondsLeft);
  return seconds !== undefined && asOf !== undefined ? toTimestamp(asOf + Number(seconds) * 1000) : undefined;
}

const mismatches = (fields: unknown): readonly string[] =>
  toList(fields).length === 0
    ? []
    : [`The broker's response differs from the request in: ${toTexts(fields).join(', ')}.`];
