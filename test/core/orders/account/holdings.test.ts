/** How many shares of a ticker are held, pending and free. */
import Big from 'big.js';
import { expect, test } from 'vitest';
import type { Order, Position } from '../../../../src/core/endpoints/index.ts';
import {
  type Holdings,
  heldQuantity,
  isBuy,
  maxHolding,
  pendingOnTicker,
  pendingSales,
  saySellable,
  sellableQuantity,
} from '../../../../src/core/orders/account/account-snapshot.ts';

const position = (ticker: string, figures: Partial<Position>) =>
  ({ instrument: { ticker }, ...figures }) as unknown as Position;

const sale: Partial<Order> = { ticker: 'A', side: 'SELL', quantity: '-4' };
const purchase: Partial<Order> = { ticker: 'A', side: 'BUY', quantity: '4' };

/** A position of B and one of A, which has these figures. */
const facts = (figures: Partial<Position>, pending: readonly Partial<Order>[] = []): Holdings => ({
  positions: [position('B', { quantity: '100', quantityInPies: '60' }), position('A', figures)],
  pending: pending as Order[],
});

/** Only B is held. */
const ofB = (...pending: readonly Partial<Order>[]): Holdings => ({
  ...facts({}, pending),
  positions: [position('B', { quantity: '100' })],
});

test('an order is pending on the ticker that it or its instrument has', () => {
  const pending = [sale, { ...sale, ticker: 'B' }, { instrument: { ticker: 'A' } }, {}] as Order[];
  expect(pendingOnTicker('A', { pending })).toEqual([pending[0], pending[2]]);
});

test.each([
  ['its quantity', facts({ quantity: '2.5' }), '2.5'],
  ['0 without a quantity', facts({}), '0'],
  ['0 without a position', ofB(), '0'],
  ['0 where a position has no instrument', { ...ofB(), positions: [{} as Position] }, '0'],
])('the shares held of a ticker are those of its position: %s', (_, of, expected) => {
  expect(heldQuantity('A', of)).toBe(expected);
});

test.each<[string, Holdings, string]>([
  ['all that are held', facts({ quantity: '10' }), '10'],
  ['none without a position, whatever sales are pending', ofB(purchase, sale), '0'],
  ['none of a position without a quantity', facts({ quantityAvailableForTrading: '5' }), '0'],
  ['not those in pies', facts({ quantity: '10', quantityInPies: '3' }), '7'],
  ['not those in pending sales', facts({ quantity: '10' }, [sale, sale]), '2'],
  ['not those in a sale that is half filled', facts({ quantity: '10' }, [{ ...sale, filledQuantity: '-1' }]), '7'],
  ['with neither those in pies nor in sales', facts({ quantity: '10', quantityInPies: '3' }, [sale]), '3'],
  ['those of a pending sale of another ticker too', facts({ quantity: '10' }, [{ ...sale, ticker: 'B' }]), '10'],
  ['those held beside a pending purchase', facts({ quantity: '10' }, [purchase]), '10'],
  ['those held beside a sale for an amount', facts({ quantity: '10' }, [{ ticker: 'A', side: 'SELL' }]), '10'],
  [
    'never more than are held, beside a sale for an amount that has filled in part',
    facts({ quantity: '10' }, [{ ticker: 'A', side: 'SELL', filledQuantity: '-3' }]),
    '10',
  ],
  ['no more than the position says', facts({ quantity: '10', quantityAvailableForTrading: '5' }), '5'],
  [
    'no more than are free, whatever the position says',
    facts({ quantity: '10', quantityInPies: '3', quantityAvailableForTrading: '10' }, [sale]),
    '3',
  ],
  ['none where the position says so', facts({ quantity: '10', quantityAvailableForTrading: '0' }), '0'],
  ['none where more are pending to be sold than are held', facts({ quantity: '3' }, [sale]), '0'],
  [
    'none where more are pending to be sold than are held, whatever the position says',
    facts({ quantity: '3', quantityAvailableForTrading: '2' }, [sale]),
    '0',
  ],
])('the shares that can be sold are %s', (_, of, expected) => {
  expect(sellableQuantity('A', of).toFixed()).toBe(expected);
});

/** The numbers in a sentence, the ticker A where it has that, and the last word. */
const factsOf = (sentence: string) => sentence.match(/\d+(\.\d+)?|\bA\b|\w+\.$/g) ?? [];

test.each<[string, string, string | undefined, readonly string[]]>([
  ['a number', '2.50', undefined, ['2.5', 'sold.']],
  ['none of the ticker', '0', undefined, ['A', 'sold.']],
  ['a number, and those in pies', '7', '3.0', ['7', '3', 'pies.']],
  ['none of the ticker, and those in pies', '0', '3', ['A', '3', 'pies.']],
  ['a number, with no share in pies', '7', '0', ['7', 'sold.']],
])('a refusal says how many shares can be sold: %s', (_, most, quantityInPies, expected) => {
  const sentence = saySellable('A', new Big(most), facts({ quantity: '10', quantityInPies }));
  expect(factsOf(sentence)).toEqual(expected);
});

test('a refusal names no pies for a ticker that is not held', () => {
  expect(factsOf(saySellable('A', new Big(0), { positions: [] }))).toEqual(['A', 'sold.']);
});

test.each<[string, readonly Partial<Order>[], string, string]>([
  ['nothing', [], '0', '10'],
  ['sales and purchases are apart', [sale, purchase, sale], '8', '14'],
  // 4 − 1, and 10 + 4 − 1.
  [
    'what has filled is no longer pending',
    [
      { ...sale, filledQuantity: '-1' },
      { ...purchase, filledQuantity: '1' },
    ],
    '3',
    '13',
  ],
  [
    'the sign of what has filled says nothing',
    [
      { ...sale, filledQuantity: '1' },
      { ...purchase, filledQuantity: '-1' },
    ],
    '3',
    '13',
  ],
  [
    'an order that filled beyond its quantity takes nothing',
    [
      { ...sale, filledQuantity: '-5' },
      { ...purchase, filledQuantity: '5' },
    ],
    '0',
    '10',
  ],
  [
    'an order for an amount takes no known number of shares, before and after its fills',
    [
      { ticker: 'A', side: 'SELL' },
      { ticker: 'A', side: 'BUY', filledQuantity: '2' },
    ],
    '0',
    '10',
  ],
  [
    'orders of other tickers do not count',
    [
      { ...sale, ticker: 'B' },
      { ...purchase, ticker: 'B' },
    ],
    '0',
    '10',
  ],
])('shares pending to be sold, and held after all purchases: %s', (_, pending, sales, most) => {
  const of = facts({ quantity: '10' }, pending);
  expect([pendingSales('A', of).toFixed(), maxHolding('A', of).toFixed()]).toEqual([sales, most]);
});

test('after all purchases a ticker that is not held yet has what they bring', () => {
  expect(maxHolding('A', ofB(purchase, purchase)).toFixed()).toBe('8');
});

test.each<[string, Partial<Order>, boolean]>([
  ['with the side of a purchase, whatever its sign', { side: 'BUY', quantity: '-4' }, true],
  ['with the side of a sale, whatever its sign', { side: 'SELL', quantity: '4' }, false],
  ['without a side, by a negative quantity', { quantity: '-4' }, false],
  ['without a side, by a positive quantity', { quantity: '4' }, true],
  ['with neither', {}, true],
])('whether a pending order buys: %s', (_, order, expected) => {
  expect(isBuy(order as Order)).toBe(expected);
});
