/** Which watches can be added. */
import { describe, expect, test } from 'vitest';
import {
  readWatch,
  requireHolding,
  type WatchArguments,
  watchedKinds,
} from '../../../src/features/watches/watch-rules.ts';
import { errorOf } from '../../support/error-of.ts';

const codeOf = async (work: () => unknown) => (await errorOf(Promise.resolve().then(work))).code;

test.each<[WatchArguments, object]>([
  [
    { ticker: 'Q', above: '80.50' },
    { kind: 'price', ticker: 'Q', direction: 'above', level: '80.5' },
  ],
  [
    { ticker: 'Q', below: '80' },
    { kind: 'price', ticker: 'Q', direction: 'below', level: '80' },
  ],
  [
    { ticker: 'Q', percent: '5.0' },
    { kind: 'move', ticker: 'Q', percent: '5' },
  ],
  [{ percent: '0.1' }, { kind: 'move', ticker: undefined, percent: '0.1' }],
])('%j is a watch', (args, watch) => {
  expect(readWatch(args)).toEqual(watch);
});

test.each<WatchArguments>([
  {},
  { ticker: 'Q' },
  { ticker: 'Q', above: '1', below: '2' },
  { ticker: 'Q', above: '1', percent: '2' },
  { above: '1' },
  { ticker: 'Q', above: '0' },
  { ticker: 'Q', above: '-1' },
  { ticker: 'Q', above: 'x' },
  { ticker: 'Q', above: '1e5' },
  { ticker: 'Q', below: '' },
  { ticker: 'Q', below: '1000000001' },
  { percent: '0.09' },
  { percent: '1000.1' },
  { percent: '-5' },
  { percent: 'Infinity' },
])('%j is refused', async (args) => {
  expect(await codeOf(() => readWatch(args))).toBe('invalid_argument');
});

describe('a watch of one ticker', () => {
  const held = new Set(['Q']);

  test('needs a holding of it, because the service has no other price', async () => {
    const price = readWatch({ ticker: 'R', above: '1' });
    expect(await codeOf(() => requireHolding(price, held))).toBe('no_price');
    expect(await codeOf(() => requireHolding(readWatch({ ticker: 'R', percent: '1' }), held))).toBe('no_price');
    expect(() => requireHolding(readWatch({ ticker: 'Q', above: '1' }), held)).not.toThrow();
  });

  test('is needless for the portfolio', () => {
    expect(() => requireHolding(readWatch({ percent: '1' }), new Set())).not.toThrow();
  });
});

test('what needs a level or a percentage is added, and the rest is always watched', () => {
  const added = Object.entries(watchedKinds).filter(([, { isStanding }]) => !isStanding);
  expect(added.map(([kind]) => kind)).toEqual(['price', 'move']);
  const urgent = Object.entries(watchedKinds).filter(([, { isUrgent }]) => isUrgent);
  expect(urgent.map(([kind]) => kind)).toEqual(['order_rejected', 'halt']);
});
