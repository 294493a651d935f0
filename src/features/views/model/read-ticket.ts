/** Reads the result of a preview, of a place tool or of get_order as an order ticket. */

import { toWords } from '../../../core/text/count-of.ts';
import { penceFact } from '../../../core/text/currency-units.ts';
import { foreignCurrency, foreignInstrument } from '../../../core/text/sanitize-text.ts';
import {
  type Envelope,
  type Fields,
  readFrame,
  toDecimal,
  toFields,
  toList,
  toText,
  toTexts,
  toTimestamp,
} from './read-answer.ts';

export interface TicketModel {
  readonly frame: Envelope;
  /** Checked and not sent: no outcome will follow. */
  readonly isPreview: boolean;
  /** `pending_approval`, `placed`, `refused` …; undefined for a preview, and for an order read by its id. */
  readonly outcome: string | undefined;
  readonly status: string | undefined;
  readonly orderId: string | undefined;
  /** The call sent nothing, because it repeated this earlier order. */
  readonly isRepeated: boolean;
  /** The rule that refused the order, or would refuse a preview. */
  readonly rule: string | undefined;
  readonly reason: string | undefined;
  /** The number of shares that would pass. */
  readonly largestQuantity: string | undefined;
  /** What would let the broker refuse a preview that no rule of this server refuses. */
  readonly problems: readonly string[];
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
  /** Estimated; `unknown` where no own fill shows them, undefined where the result has none. */
  readonly charges: string | 'unknown' | undefined;
  readonly cashAfter: string | undefined;
  readonly warnings: readonly string[];
  /** What is worth knowing and asks for no attention. */
  readonly facts: readonly string[];
  readonly approval:
    | {
        readonly method: string | undefined;
        readonly address: string | undefined;
        readonly expiresAt: number | undefined;
      }
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
  const said = [...new Set(shown.flatMap(({ warnings }) => toTexts(warnings)))];
  return {
    frame,
    isPreview: answer.sent === false,
    outcome: toText(answer.outcome),
    status: toText(answer.status),
    orderId: toText(answer.orderId),
    isRepeated: answer.coalesced === true,
    ...readRefusal(answer),
    order: readOrder(request, instrument),
    instrument: {
      name: foreignInstrument(instrument.name),
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
    charges: readCharges(answer.charges),
    cashAfter: toDecimal(toFields(answer.cash).after),
    warnings: [...said.filter((text) => text !== penceFact), ...mismatches(answer.mismatch)],
    facts: said.filter((text) => text === penceFact),
    approval:
      answer.outcome === 'pending_approval'
        ? {
            method: toText(approval.method),
            address: toText(approval.address),
            expiresAt: computeExpiry(answer, approval, frame),
          }
        : undefined,
  };
}

/** A place tool names the rule; a preview lists its checks, that of the rules last. */
function readRefusal(answer: Fields): Pick<TicketModel, 'rule' | 'reason' | 'largestQuantity' | 'problems'> {
  const failed = toList(answer.checks)
    .map(toFields)
    .filter(({ ok }) => ok === false);
  const refusal = failed.find(({ rule }) => rule !== undefined);
  return {
    rule: toText(answer.rule) ?? toText(refusal?.rule),
    reason: toText(answer.reason) ?? toText(refusal?.detail),
    largestQuantity: toDecimal(answer.largestQuantity) ?? toDecimal(refusal?.largestQuantity),
    // A rule says the same as the check before it.
    problems: refusal ? [] : failed.flatMap(({ detail }) => toText(detail) ?? []),
  };
}

function readCharges(charges: unknown): TicketModel['charges'] {
  const { known, total } = toFields(charges);
  return known === undefined ? undefined : (toDecimal(total) ?? 'unknown');
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
    : [`The broker's response differs from the request in: ${toTexts(fields).map(toWords).join(', ')}.`];
