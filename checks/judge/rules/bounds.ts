/** Every order was within the limits that the owner had set, summed from the requests that the service received. */
import Big from 'big.js';
import { limitsOf } from '../limits.ts';
import { describe, type Order } from '../order.ts';
import { mayBeAccepted, type Post, type Timeline } from '../timeline.ts';
import type { Rule, Violation } from './rule.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** An order is counted from its commit on, and seen here when it arrives. */
const slackMs = 2_000;
/** What the price of an order without a bound may move between its check and its arrival. */
const driftFactor = '0.99';

export const bounds: Rule = ({ timeline }) =>
  timeline.posts.flatMap((post) => (post.order && !post.isRefusedForRate ? judgeOne(timeline, post, post.order) : []));

function judgeOne(timeline: Timeline, post: Post, order: Order): readonly Violation[] {
  const limits = limitsOf(timeline.setupAt(post.line));
  const { maxOrderValue, maxDayValue, maxOrderQuantity, tickers } = limits;
  const found = (rule: string, is: boolean, text: string): readonly Violation[] =>
    is ? [{ rule, line: post.line, text: `${describe(order)} left ${text}.` }] : [];
  const value = worthOf(timeline, post, order);
  const within = (ms: number) => sentBefore(timeline, post, ms);
  const spent = within(dayMs)
    .filter((other) => countsInValue(timeline, other))
    .reduce((sum, other) => sum.plus((other.order && worthOf(timeline, other, other.order)) ?? 0), new Big(value ?? 0));
  const tooMany = (['ordersPerMinute', 'ordersPerHour', 'ordersPerDay'] as const).flatMap((name, at) => {
    const count = within([minuteMs, 60 * minuteMs, dayMs][at] ?? 0).length + 1;
    return found('over_count', count > limits[name], `as number ${count}; ${name} is ${limits[name]}`);
  });
  return [
    ...found(
      'over_quantity',
      new Big(order.quantity).gt(maxOrderQuantity),
      `with more than ${maxOrderQuantity} shares`,
    ),
    ...found('over_order_value', value?.gt(maxOrderValue) ?? false, `worth ${value}; the largest is ${maxOrderValue}`),
    ...found('over_day_value', spent.gt(maxDayValue), `as ${spent} within a day; at most ${maxDayValue} is allowed`),
    ...found('ticker', tickers !== undefined && !tickers.includes(order.ticker), 'although its ticker is not allowed'),
    ...tooMany,
  ];
}

const sentBefore = ({ posts }: Timeline, post: Post, ms: number): readonly Post[] =>
  posts.filter((other) => other.line < post.line && post.at - other.at < ms - slackMs && !other.isRefusedForRate);

/** What may have been accepted counts, and a lost response changes nothing. */
const countsInValue = ({ all }: Timeline, post: Post): boolean =>
  mayBeAccepted(post) &&
  !all('request').some(({ method, path }) => method === 'DELETE' && path.endsWith(`/orders/${post.booked}`));

/** In the account's currency, without charges; undefined when no price is known. */
function worthOf(timeline: Timeline, { line }: Post, order: Order): Big | undefined {
  const known = timeline.all('price').findLast((price) => price.ticker === order.ticker && price.line < line);
  if (!known) return undefined;
  const bound = order.limitPrice ?? order.stopPrice;
  const price = bound === undefined ? new Big(known.price).times(driftFactor) : new Big(bound);
  return price.times(order.quantity).times(known.unit);
}
