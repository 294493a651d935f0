/** The answer of a place tool or of get_order, as an order ticket. */
import { foreignCurrency, foreignName } from '../../untrusted-text.ts';
import { type Envelope, readFrame } from './envelope.ts';
import { decimalOf, type Fields, fieldsOf, listOf, textOf, textsOf, timestampField } from './fields.ts';

export interface Ticket {
  readonly frame: Envelope;
  /** `pending_approval`, `placed`, `refused` …; undefined on an order read by its id. */
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
    /** Shares, positive: the side says the direction. */
    readonly quantity: string | undefined;
    readonly filledQuantity: string | undefined;
    /** Instrument currency (pence for GBX). */
    readonly limitPrice: string | undefined;
    readonly stopPrice: string | undefined;
    readonly timeValidity: string | undefined;
    readonly extendedHours: boolean | undefined;
  };
  readonly instrument: { readonly name: string | undefined; readonly currency: string | undefined };
  /** Account currency. */
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

export function readTicket(answer: Fields): Ticket | undefined {
  const approval = fieldsOf(answer.approval);
  // What the human is shown may stand in the answer itself, or under `ticket`.
  const shown = [answer, fieldsOf(answer.ticket), fieldsOf(approval.ticket)];
  const part = (name: string): Fields =>
    shown.map((fields) => fieldsOf(fields[name])).find((fields) => Object.keys(fields).length > 0) ?? {};
  const request = { ...part('order'), ...part('request') };
  if (textOf(answer.outcome) === undefined && Object.keys(request).length === 0) return undefined;
  const instrument = { ...fieldsOf(request.instrument), ...part('instrument') };
  const estimate = part('estimate');
  const frame = readFrame(answer);
  return {
    frame,
    outcome: textOf(answer.outcome),
    status: textOf(answer.status),
    intentId: textOf(answer.intentId),
    orderId: textOf(answer.orderId),
    message: textOf(answer.message),
    reason: textOf(answer.reason),
    next: textOf(answer.next),
    order: readOrder(request, instrument),
    instrument: {
      name: foreignName(instrument.name),
      currency:
        foreignCurrency(instrument.currency) ??
        foreignCurrency(instrument.currencyCode) ??
        foreignCurrency(request.currency),
    },
    estimate: {
      value: decimalOf(estimate.value),
      worst: decimalOf(estimate.worst),
      currency: foreignCurrency(estimate.currency),
    },
    warnings: [...new Set(shown.flatMap(({ warnings }) => textsOf(warnings))), ...mismatches(answer.mismatch)],
    approval:
      answer.outcome === 'pending_approval'
        ? { how: textOf(approval.how), address: textOf(approval.address), expiresAt: endOf(answer, approval, frame) }
        : undefined,
  };
}

const readOrder = (request: Fields, instrument: Fields): Ticket['order'] => ({
  type: textOf(request.type),
  // The interface sells by a negative quantity; a row may lack the side.
  side: textOf(request.side) ?? (decimalOf(request.quantity)?.startsWith('-') ? 'SELL' : undefined),
  ticker: textOf(request.ticker) ?? textOf(instrument.ticker),
  quantity: decimalOf(request.quantity)?.replace('-', ''),
  filledQuantity: decimalOf(request.filledQuantity)?.replace('-', ''),
  limitPrice: decimalOf(request.limitPrice),
  stopPrice: decimalOf(request.stopPrice),
  timeValidity: textOf(request.timeValidity) ?? textOf(request.timeInForce),
  extendedHours: typeof request.extendedHours === 'boolean' ? request.extendedHours : undefined,
});

/** Seconds are counted from when the answer was made: a host may show an old answer again. */
function endOf(answer: Fields, approval: Fields, { asOf }: Envelope): number | undefined {
  const named = timestampField(approval.expiresAt) ?? timestampField(answer.expiresAt);
  if (named !== undefined) return named;
  const seconds = decimalOf(approval.secondsLeft);
  return seconds !== undefined && asOf !== undefined ? timestampField(asOf + Number(seconds) * 1000) : undefined;
}

const mismatches = (fields: unknown): readonly string[] =>
  listOf(fields).length === 0
    ? []
    : [`The broker's response differs from the request in: ${textsOf(fields).join(', ')}.`];
