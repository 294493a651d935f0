/** The orders on a page or in a form, from what a person sees of them. */
import { type Order, toOrder } from './order.ts';

export interface ShownOrders {
  readonly orders: readonly Order[];
  readonly repetitions: readonly number[];
  /** Undefined where nothing counts down. */
  readonly secondsLeft?: number | undefined;
}

const repetitionMark = 'SECOND IDENTICAL ORDER';
const typeNames = [
  ['STOP_LIMIT', 'Stop limit:'],
  ['STOP', 'Stop:'],
  ['LIMIT', 'Limit:'],
  ['MARKET', 'Market:'],
] as const;
const validities: Readonly<Record<string, string>> = {
  'Today only': 'DAY',
  'Until it is cancelled': 'GOOD_TILL_CANCEL',
};

/** Of the page of an order or of a draft; undefined when it shows no open decision. */
export function readShownPage(html: string): ShownOrders | undefined {
  const secondsLeft = /data-seconds="(\d+)"/.exec(html)?.[1];
  if (secondsLeft === undefined || !html.includes('data-open="yes"')) return undefined;
  const legs = html.split('<li class="order"').slice(1);
  const parts = legs.length > 0 ? legs : [html];
  return {
    orders: parts.map(readCard),
    repetitions: parts.flatMap((part, at) => (part.includes(repetitionMark) ? [at] : [])),
    secondsLeft: Number(secondsLeft),
  };
}

/** The heading and the first facts of an order. */
function readCard(html: string): Order {
  const heading = />(BUY|SELL)<\/span> <bdi>([^<]*)<\/bdi>/.exec(html);
  const fact = (name: string) => textOf(new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`).exec(html)?.[1] ?? '');
  return readFacts({ side: heading?.[1], quantity: digits(heading?.[2]), ticker: fact('Ticker') }, fact);
}

/** An order whose facts have the same names and words on a page and in a form; a fact that is not there is empty. */
function readFacts(heading: Readonly<Record<string, unknown>>, fact: (name: string) => string): Order {
  const valid = fact('Valid');
  return found({
    ...heading,
    type: typeNames.find(([, label]) => fact('Type').startsWith(label))?.[0],
    ...{ limitPrice: digits(fact('Limit price')), stopPrice: digits(fact('Stop price')) },
    ...(valid === '' ? {} : { timeValidity: validities[valid] ?? valid }),
    extendedHours: fact('Extended hours').startsWith('Yes'),
  });
}

const textOf = (html: string) => html.replace(/<[^>]*>/g, '').trim();

/** The first number of a text, with commas between its thousands; a sign of the currency can come before it. */
const digits = (text = '') => /^\D{0,4}(\d[\d.,]*)/.exec(text)?.[1]?.replaceAll(',', '');

const number = String.raw`([\d.]+)`;

/** Of the text of a form, for an order or for a draft. */
export function readShownForm(message: string): ShownOrders | undefined {
  const lines = message.split('\n');
  const legs = lines.filter((line) => /^\d+: (SECOND IDENTICAL ORDER: )?(BUY|SELL) /.test(line));
  const isDraft = legs.length > 0;
  const orders = isDraft ? legs.map(readLeg) : readSingle(lines);
  const marked = isDraft ? legs : [message];
  return orders && { orders, repetitions: marked.flatMap((line, at) => (line.includes(repetitionMark) ? [at] : [])) };
}

function readSingle(lines: readonly string[]): readonly Order[] | undefined {
  const fact = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  // The name of the instrument may come before its ticker.
  const heading = /^(BUY|SELL) (\S+) × (?:[^,]+, )?(\S+)$/.exec(fact('Order'));
  if (!heading) return undefined;
  return [readFacts({ side: heading[1], quantity: heading[2], ticker: heading[3] }, fact)];
}

function readLeg(line: string): Order {
  const heading = /(BUY|SELL) (\S+) × (\S+) (MARKET|LIMIT|STOP|STOP_LIMIT)(?: |$)/.exec(line);
  return found({
    ...{ side: heading?.[1], quantity: heading?.[2], ticker: heading?.[3], type: heading?.[4] },
    limitPrice: new RegExp(` limit ${number}`).exec(line)?.[1],
    stopPrice: new RegExp(` stop ${number}`).exec(line)?.[1],
    timeValidity: / (DAY|GOOD_TILL_CANCEL)\b/.exec(line)?.[1],
    extendedHours: line.includes(' extended hours'),
  });
}

function found(fields: Readonly<Record<string, unknown>>): Order {
  const order = toOrder(fields);
  if (!order) throw new Error(`What was shown is no order: ${JSON.stringify(fields)}`);
  return order;
}
