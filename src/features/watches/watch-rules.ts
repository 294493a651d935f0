/** What can be watched, and which watches a person or a model can add. */

import Big from 'big.js';
import { BrokerageError } from '../../core/errors.ts';
import type { EventKind } from './event.ts';

interface KindFacts {
  /** Always watched; the others are added with a level or a percentage. */
  readonly isStanding: boolean;
  /** Reported in quiet hours too. */
  readonly isUrgent: boolean;
  readonly meaning: string;
}

const standing = (meaning: string, isUrgent = false): KindFacts => ({ isStanding: true, isUrgent, meaning });
const added = (meaning: string): KindFacts => ({ isStanding: false, isUrgent: false, meaning });

/** Every kind of event. The names are public. */
export const watchedKinds: Readonly<Record<EventKind, KindFacts>> = {
  order_filled: standing('an order was filled'),
  order_rejected: standing('an order was rejected', true),
  order_ended: standing('an order was cancelled or expired'),
  approval_waits: standing('an order or a draft waits for an approval'),
  draft_due: standing('a recurring plan made a draft'),
  draft_stopped: standing('the sending of a draft stopped'),
  dividend_arrived: standing('a dividend arrived'),
  fee_arrived: standing('a fee was charged'),
  halt: standing('trading was halted', true),
  price: added('the price of a holding rose to a level, or fell to it'),
  move: added('the price of a holding, or the portfolio, moved by a percentage since the day before'),
};

export const watchDirections = ['above', 'below'] as const;

export interface PriceWatch {
  readonly kind: 'price';
  readonly ticker: string;
  readonly direction: (typeof watchDirections)[number];
  /** Decimal text, in the currency of the instrument; GBX is pence. */
  readonly level: string;
}

export interface MoveWatch {
  readonly kind: 'move';
  /** Undefined for the portfolio. */
  readonly ticker?: string | undefined;
  /** Decimal text: the percentage, up or down. */
  readonly percent: string;
}

/** What a person or a model asks for. */
export type WatchQuestion = PriceWatch | MoveWatch;

/** A watch that is kept. */
export type Watch = WatchQuestion & {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
};

/** The arguments of a watch as they come from a tool or a command. */
export interface WatchArguments {
  readonly ticker?: string | undefined;
  readonly above?: string | undefined;
  readonly below?: string | undefined;
  readonly percent?: string | undefined;
}

/** The largest number of watches of an account. */
export const maxWatches = 50;
const maxPercent = 1_000;
const minPercent = '0.1';
const maxLevel = 1_000_000_000;

/** Reads `above 80`, `below 60` or `moves 5`; undefined for another text. */
export function readCondition(text: string): Omit<WatchArguments, 'ticker'> | undefined {
  const [, word, number] = /^\s*(above|below|moves)\s+(\d{1,20}(?:\.\d{1,20})?)\s*%?\s*$/i.exec(text) ?? [];
  if (word === undefined) return undefined;
  return { [conditions[word.toLowerCase()] ?? '']: number };
}

const conditions: Readonly<Record<string, keyof WatchArguments>> = { above: 'above', below: 'below', moves: 'percent' };

/** Returns the watch that the arguments describe. Throws `invalid_argument`. */
export function readWatch({ ticker, above, below, percent }: WatchArguments): WatchQuestion {
  const given = [above, below, percent].filter((value) => value !== undefined);
  if (given.length !== 1) throw invalid('A watch needs exactly one of above, below and percent.', 'Pass one of them.');
  if (percent !== undefined) return { kind: 'move', ticker, percent: readPercent(percent) };
  if (ticker === undefined)
    throw invalid('A price can be watched for one ticker only.', 'Pass the ticker of a holding, or percent instead.');
  const direction = above === undefined ? 'below' : 'above';
  return { kind: 'price', ticker, direction, level: readLevel(above ?? below ?? '') };
}

function readPercent(text: string): string {
  const percent = toBig(text);
  if (!percent || percent.lt(minPercent) || percent.gt(maxPercent))
    throw invalid(
      `A move is watched from ${minPercent} to ${maxPercent.toLocaleString('en-GB')} percent.`,
      'Pass such a percentage.',
    );
  return percent.toFixed();
}

function readLevel(text: string): string {
  const level = toBig(text);
  if (!level || level.lte(0) || level.gt(maxLevel))
    throw invalid('A price level must be a number above 0.', 'Pass it in the currency of the instrument.');
  return level.toFixed();
}

/** Undefined for a text that is not a plain decimal of at most 20 digits on each side. */
const toBig = (text: string): Big | undefined => (/^\d{1,20}(\.\d{1,20})?$/.test(text) ? new Big(text) : undefined);

/**
 * Checks that the service has prices for the watch: it has those of holdings only. Throws `no_price`.
 */
export function requireHolding(question: WatchQuestion, held: ReadonlySet<string>): void {
  const { ticker } = question;
  if (ticker === undefined || held.has(ticker)) return;
  throw new BrokerageError(
    'no_price',
    `${JSON.stringify(ticker)} cannot be watched, because the service has a price only for what is held.`,
    'Call list_positions for the tickers of the holdings.',
  );
}

/** Whether two watches report the same. */
export const isSameWatch = (a: WatchQuestion, b: WatchQuestion): boolean => describeWatch(a) === describeWatch(b);

/** One short sentence without a full stop. */
export function describeWatch(question: WatchQuestion): string {
  if (question.kind === 'price')
    return `the price of ${question.ticker} ${question.direction === 'above' ? 'rises to' : 'falls to'} ${question.level}`;
  return `${question.ticker ?? 'the portfolio'} moves by ${question.percent} % since the day before`;
}

const invalid = (message: string, next: string) => new BrokerageError('invalid_argument', message, next);
