/**
 * What a notification says about an event. Every text of the service is checked for its shape, and a name is last and in
 * quotes, so that none can imitate a fact. No notification has a link, an account number or a free text of the service.
 */

import type { Environment } from '../../core/settings/config.ts';
import type { NotifyDetail } from '../../core/settings/notify-settings.ts';
import { countOf, formatConstant } from '../../core/text/count-of.ts';
import { parseTimestamp } from '../../core/text/dates.ts';
import { formatDay, formatMoment } from '../../core/text/format-moment.ts';
import { defaultLocale, formatTicker, writeMoney, writeNumber, writePercent } from '../../core/text/format-money.ts';
import { foreignCurrency, foreignInstrument, foreignName, isTicker } from '../../core/text/sanitize-text.ts';
import type { EventKind, FactsByKind, WatchEvent } from './event.ts';
import type { Message, Urgency } from './notify/channel.ts';

/** For whom and when a notification is written. */
export interface Manner {
  /** `short` has no amount, ticker or name. */
  readonly detail: NotifyDetail;
  readonly environment: Environment;
  /** The name of the account; undefined where the person has one. */
  readonly account?: string | undefined;
  /** The time zone of the person (IANA name). */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type Say<Kind extends EventKind> = (facts: FactsByKind[Kind], manner: Manner) => string;

interface Sentences<Kind extends EventKind> {
  readonly title: string;
  readonly urgency: Urgency;
  readonly short: Say<Kind>;
  readonly full: Say<Kind>;
}

/** Returns the notification about one event. */
export function sayEvent(event: WatchEvent, manner: Manner): Message {
  const { title, urgency, ...say } = sentences[event.kind] as Sentences<EventKind>;
  return { title: inPlace(title, manner), text: say[manner.detail](event.facts, manner), urgency };
}

/** Returns one notification about several events: how many there are of each kind. */
export function sayEvents(events: readonly WatchEvent[], manner: Manner): Message {
  const kinds = Object.keys(sentences) as EventKind[];
  const lines = kinds.flatMap((kind) => {
    const count = events.filter((event) => event.kind === kind).length;
    return count === 0 ? [] : [`${sentences[kind].title}: ${count}`];
  });
  const urgencies = events.map(({ kind }) => sentences[kind].urgency);
  return {
    title: inPlace(`${countOf(events.length, 'event')} of your account`, manner),
    text: [...lines, 'Ask your assistant what changed.'].join('\n'),
    urgency: (['high', 'normal'] as const).find((one) => urgencies.includes(one)) ?? 'low',
  };
}

/** What changed since the last digest. */
export interface Digest {
  readonly count: number;
  /** As `get_changes` says it. */
  readonly text: string;
}

/** Returns the notification of the morning. The short one has the number of changes alone. */
export function sayDigest({ count, text }: Digest, manner: Manner): Message {
  const texts: Record<NotifyDetail, string> = {
    short: `${countOf(count, 'change')} in your account. Ask your assistant what changed.`,
    full: text,
  };
  return { title: inPlace('Summary of your account', manner), text: texts[manner.detail], urgency: 'low' };
}

/** Without it a simulated order would be taken for one with real money, or an order of one account for that of another. */
function inPlace(title: string, { environment, account }: Manner): string {
  const place = [environment === 'live' ? undefined : environment, account].filter((part) => part !== undefined);
  return place.length === 0 ? title : `${title} (${place.join(', ')})`;
}

const sentences: { readonly [Kind in EventKind]: Sentences<Kind> } = {
  order_filled: {
    title: 'Order filled',
    urgency: 'normal',
    short: ({ side }) => `A ${orderOf(side)} was filled.`,
    full: (order) => {
      const filled = { ...order, quantity: order.filledQuantity ?? order.quantity };
      return withName(`${order.side === 'BUY' ? 'Bought' : 'Sold'} ${sizeOf(filled)}${priceOf(order)}.`, order);
    },
  },
  order_rejected: {
    title: 'Order rejected',
    urgency: 'high',
    short: ({ side }) => `A ${orderOf(side)} was rejected.`,
    full: (order) => withName(`The broker rejected an order to ${orderText(order)}.${reasonOf(order.reason)}`, order),
  },
  order_ended: {
    title: 'Order ended',
    urgency: 'normal',
    short: ({ side }) => `A ${orderOf(side)} ended before it was filled.`,
    full: (order) => {
      const filled = decimalOf(order.filledQuantity);
      const part = filled === undefined ? '' : ` ${sharesOf(filled)} ${filled === '1' ? 'was' : 'were'} filled.`;
      return withName(`An order to ${orderText(order)} ended.${part}${reasonOf(order.reason)}`, order);
    },
  },
  approval_waits: {
    title: 'Approval needed',
    urgency: 'high',
    short: ({ subject, expiresAt }, manner) => `${subjects[subject]} waits for you ${untilText(expiresAt, manner)}.`,
    full: ({ subject, ticker, legs, expiresAt }, manner) => {
      const what = legs === undefined ? '' : ` with ${countOf(legs, 'order')}`;
      const of = ticker === undefined ? '' : ` of ${tickerOf(ticker)}`;
      return `${subjects[subject]}${what}${of} waits for you ${untilText(expiresAt, manner)}.`;
    },
  },
  draft_due: {
    title: 'Draft due',
    urgency: 'normal',
    short: () => 'A recurring plan has a draft that is due. Nothing is sent until you submit it.',
    full: ({ plan, legs }) =>
      withName(
        `A recurring plan has a draft with ${countOf(legs, 'order')} that is due. Nothing is sent until you submit it.`,
        { name: foreignName(plan) },
        'The plan is',
      ),
  },
  draft_stopped: {
    title: 'Draft stopped',
    urgency: 'normal',
    short: () => 'A draft stopped before all of its orders were placed.',
    full: ({ legs, placed, reason }) =>
      `A draft stopped after ${placed} of ${countOf(legs, 'order')}.${reasonOf(reason)}`,
  },
  dividend_arrived: {
    title: 'Dividend received',
    urgency: 'low',
    short: () => 'A dividend arrived.',
    full: (booking) => withName(`A dividend${amountOf(booking)}${forTicker(booking)} arrived.`, booking),
  },
  fee_arrived: {
    title: 'Fee charged',
    urgency: 'low',
    short: () => 'A fee was charged.',
    full: (booking) => withName(`A fee${amountOf(booking)}${forTicker(booking)} was charged.`, booking),
  },
  halt: { title: 'Trading halted', urgency: 'high', short: sayHalt, full: sayHalt },
  price: {
    title: 'Price reached',
    urgency: 'normal',
    short: () => 'A price that you watch crossed its level.',
    full: ({ ticker, name, price, currency, level, direction }) => {
      const [now, bound] = [price, level].map((amount) => moneyOf({ amount, currency }) ?? 'an unknown price');
      return withName(`${tickerOf(ticker)} is at ${now}, ${direction} ${bound}.`, { name });
    },
  },
  move: {
    title: 'Value moved',
    urgency: 'normal',
    short: ({ ticker }) => `${ticker === undefined ? 'Your portfolio' : 'A position'} moved more than you allow.`,
    full: ({ ticker, name, percent, since }) => {
      const what = ticker === undefined ? 'Your portfolio' : tickerOf(ticker);
      const day = parseTimestamp(since);
      const from = day === undefined ? '' : ` since ${formatDay(day, 'UTC')}`;
      const share = decimalOf(percent);
      const by = share === undefined ? '' : ` by ${writePercent(share, defaultLocale, true)}`;
      return withName(`${what} moved${by}${from}.`, { name });
    },
  },
};

const subjects = { order: 'An order', draft: 'A draft' } as const;

function sayHalt({ since }: FactsByKind['halt'], { now, zone }: Manner): string {
  return `No order is sent since ${formatMoment(since, now, zone)}. The command brokerage-mcp resume ends the halt.`;
}

const untilText = (at: number, { now, zone }: Manner): string => `until ${formatMoment(at, now, zone)}`;

const orderOf = (side: 'BUY' | 'SELL'): string => (side === 'BUY' ? 'buy order' : 'sell order');

const orderText = (order: FactsByKind['order_filled']): string =>
  `${order.side === 'BUY' ? 'buy' : 'sell'} ${sizeOf(order)}${priceOf(order)}`;

/** `10 shares of AAPL`, or `AAPL for £100.00` where the order has a value and no quantity. */
function sizeOf({ ticker, quantity, value }: FactsByKind['order_filled']): string {
  const shares = decimalOf(quantity);
  if (shares !== undefined) return `${sharesOf(shares)} of ${tickerOf(ticker)}`;
  const amount = value && moneyOf(value);
  return amount === undefined ? tickerOf(ticker) : `${tickerOf(ticker)} for ${amount}`;
}

const sharesOf = (shares: string): string =>
  `${writeNumber(shares, defaultLocale)} ${shares === '1' ? 'share' : 'shares'}`;

function priceOf({ price }: FactsByKind['order_filled']): string {
  const amount = price && moneyOf(price);
  return amount === undefined ? '' : ` at ${amount}`;
}

function amountOf({ amount }: FactsByKind['fee_arrived']): string {
  const money = moneyOf(amount);
  return money === undefined ? '' : ` of ${money}`;
}

const forTicker = ({ ticker }: FactsByKind['fee_arrived']): string =>
  ticker === undefined ? '' : ` for ${tickerOf(ticker)}`;

/** A code of a reason in words; nothing of a sentence, which can have any content. */
const reasonOf = (code: string | undefined): string =>
  code !== undefined && code.length <= 60 && /^[A-Za-z]+(?:[-_][A-Za-z]+)*$/.test(code)
    ? ` Reason: ${formatConstant(code.replaceAll('-', '_')).toLowerCase()}.`
    : '';

/** A decimal without zeros at its end; undefined for another text. */
function decimalOf(text: string | undefined): string | undefined {
  const found = /^[+-]?(\d{1,15})(?:\.(\d{1,12}))?$/.exec(text ?? '');
  if (!found) return undefined;
  const fraction = (found[2] ?? '').replace(/0+$/, '');
  const sign = text?.startsWith('-') ? '-' : '';
  return `${sign}${found[1]}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Without its sign: the sentence says whether money came or went. */
function moneyOf({ amount, currency }: { readonly amount: string; readonly currency?: string | undefined }) {
  const decimal = decimalOf(amount)?.replace('-', '');
  return decimal === undefined ? undefined : writeMoney(decimal, foreignCurrency(currency), defaultLocale);
}

/** The symbol of an instrument, unless it has as many digits as the number of an account. */
const tickerOf = (ticker: string): string =>
  isTicker(ticker) && !hasLongNumber(ticker) ? formatTicker(ticker) : 'an instrument';

/** Programs make a link of it: only a name with a path can lead to another place than the site of a company. */
const hasLink = (text: string): boolean => /\.\p{L}{2,}\/|\bwww\./iu.test(text);

const hasLongNumber = (text: string): boolean => /(?:\d[ -]?){7}/.test(text);

function withName(
  sentence: string,
  { name }: { readonly name?: string | undefined },
  intro = 'The instrument is',
): string {
  const shown = foreignInstrument(name);
  return shown === undefined || hasLongNumber(shown) || hasLink(shown) ? sentence : `${sentence} ${intro} “${shown}”.`;
}
