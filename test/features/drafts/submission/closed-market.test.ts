/** Buys that wait for a sell need its market to be open: closed and unknown are different. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../../../src/core/endpoints/index.ts';
import type { OrderRequest } from '../../../../src/core/orders/intent/order-request.ts';
import { refuseClosedMarket } from '../../../../src/features/drafts/submission/draft-facts.ts';
import { draftLeg, exchangeWith, toCheck } from './legs-to-check.ts';

const now = Date.parse('2030-03-04T12:00:00Z');

type Moment = readonly [date: string, type: string];

const open: Moment = ['2030-03-04T08:00:00Z', 'OPEN'];
const closed: Moment = ['2030-03-04T08:00:00Z', 'CLOSE'];

const withEvents = (...events: readonly Moment[]) => exchangeWith(...events.map(([date, type]) => ({ date, type })));

interface Case {
  readonly sell?: Partial<OrderRequest>;
  readonly areBuysDependent?: boolean;
}

/** What is said of the sell of a draft that buys with its proceeds. */
function refuse(exchanges: readonly Exchange[], { sell: change = {}, areBuysDependent = true }: Case = {}) {
  const sell = toCheck(draftLeg({ ticker: 'A', side: 'SELL', ...change }), { facts: { zone: 'Asia/Tokyo' } });
  const buys = [1, 2].map((number) =>
    toCheck(draftLeg({ ticker: `B${number}` }), { number, isDependent: areBuysDependent && number === 2 }),
  );
  return refuseClosedMarket(sell, { legs: [sell, ...buys], exchanges }, now);
}

const minute = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();

test.each<[string, readonly Exchange[], string | undefined]>([
  ['open', withEvents(open), undefined],
  ['open for more than 15 minutes', withEvents(open, ['2030-03-04T12:15:00.001Z', 'CLOSE']), undefined],
  ['open for 15 minutes', withEvents(open, [minute(15), 'CLOSE']), 'market_closed'],
  ['about to close', withEvents(open, [minute(10), 'CLOSE']), 'market_closed'],
  ['about to have a break', withEvents(open, [minute(10), 'BREAK_START'], [minute(40), 'BREAK_END']), 'market_closed'],
  ['closed', withEvents(closed), 'market_closed'],
  ['closed, and opens in a minute', withEvents(closed, [minute(1), 'OPEN']), 'market_closed'],
  ['unknown, as no exchange is listed', [], 'market_unknown'],
  ['unknown, as no event is listed', withEvents(), 'market_unknown'],
])('a market that is %s', (_name, exchanges, rule) => {
  expect(refuse(exchanges)?.rule).toBe(rule);
});

test.each<[string, readonly Moment[]]>([
  ['only opens', [open, [minute(10), 'OPEN']]],
  ['closes and opens at the same moment', [open, [minute(10), 'CLOSE'], [minute(10), 'OPEN']]],
])('a market that never pauses is not about to close: it %s', (_, events) => {
  expect(refuse(withEvents(...events))).toBeUndefined();
  expect(refuse(withEvents(...events, [minute(12), 'CLOSE']))?.rule).toBe('market_closed');
});

test.each<[string, Case]>([
  ['no buy waits for a sell', { areBuysDependent: false }],
  // A stop may never trigger, so no buy can wait for it.
  ['the leg is a stop order', { sell: { type: 'STOP', stopPrice: '9' } }],
  ['the leg is a buy', { sell: { side: 'BUY' } }],
])('a closed market refuses nothing where %s', (_, given) => {
  expect(refuse(withEvents(closed), given)).toBeUndefined();
});

test('a limit order to sell needs an open market too', () => {
  expect(refuse(withEvents(closed), { sell: { type: 'LIMIT', limitPrice: '9' } })?.rule).toBe('market_closed');
});

test.each<[string, readonly Moment[], string, number | undefined]>([
  ['closed', [closed, ['2030-03-05T08:00:00Z', 'OPEN']], 'closed; it opens 5 Mar 2030 17:00', 20 * 3_600],
  [
    'about to close',
    [open, [minute(10), 'CLOSE'], ['2030-03-05T08:00:00Z', 'OPEN']],
    'about to close; it opens 5 Mar 2030 17:00',
    20 * 3_600,
  ],
  ['closed', [closed, ['2030-03-04T12:00:00.001Z', 'OPEN']], 'closed; it opens 4 Mar 2030 21:00', 1],
  ['closed', [closed], 'closed; it opens at an unknown time', undefined],
  ['about to close', [open, [minute(10), 'CLOSE']], 'about to close; it opens at an unknown time', undefined],
])('the refusal says when a market that is %s opens, and the caller can try again then', (_, events, text, seconds) => {
  const refusal = refuse(withEvents(...events));
  expect(refusal?.reason.replace(' Tokyo time', '')).toBe(
    `Buys of this draft wait for the sale of A, whose market is ${text}.`,
  );
  expect(refusal?.retryAfterSeconds).toBe(seconds);
});

test('the refusal for a market of which nothing is known names the sale, and no time to try again', () => {
  expect(refuse([])).toEqual({
    rule: 'market_unknown',
    reason: 'Buys of this draft wait for the sale of A, and whether its market is open is unknown.',
  });
});
