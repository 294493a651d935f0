/** What can happen to a draft and to the programs that send it, at random. */
import fc from 'fast-check';
import type { DraftLeg } from '../../../../../src/features/drafts/book/draft.ts';
import { type AnswerKind, answers, prices } from './broker.ts';

export type Step =
  /** What the broker does with the next order. */
  | { readonly kind: 'answer'; readonly answer: AnswerKind }
  | { readonly kind: 'submit'; readonly by: number }
  | { readonly kind: 'repeat'; readonly by: number }
  | { readonly kind: 'approve'; readonly how: 'right' | 'wrong' | 'old' }
  | { readonly kind: 'decline' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'discard' }
  | { readonly kind: 'halt' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'setClock'; readonly ms: number }
  /** The oldest orders that are pending are filled, or this part of them. */
  | { readonly kind: 'fill'; readonly share: number; readonly most: number }
  | { readonly kind: 'cancel' }
  /** A program is killed after it has waited this often. */
  | { readonly kind: 'kill'; readonly by: number; readonly points: number }
  | { readonly kind: 'end'; readonly by: number }
  | { readonly kind: 'start' }
  | {
      readonly kind: 'storeFails';
      readonly how: 'before' | 'afterCommit';
      readonly after: number;
      readonly times: number;
    }
  /** The programs take each other for dead, or no longer do. */
  | { readonly kind: 'mistake' }
  | { readonly kind: 'edit'; readonly leg: number; readonly how: 'remove' | 'lower' }
  | { readonly kind: 'single'; readonly by: number };

export interface Scenario {
  readonly approval: 'none' | 'page' | 'elicitation';
  readonly legs: readonly DraftLeg[];
  /** The cash is not enough for the buys before the sells are filled. */
  readonly isPoor: boolean;
  readonly fillsAtOnce: boolean;
  readonly ordersPerMinute: number;
  /** Orders an hour beyond those of the draft. */
  readonly spare: number;
  /** What the broker does with the first orders. */
  readonly script: readonly AnswerKind[];
  /** What happens before it is submitted, before a person decides, and then. */
  readonly before: readonly Step[];
  readonly between: readonly Step[];
  readonly steps: readonly Step[];
}

/** Beyond the last price, as the orders of a person are. */
const limitOf = { SELL: 1.05, BUY: 1 } as const;
const stopOf = { SELL: 0.95, BUY: 1.05 } as const;

const answer: fc.Arbitrary<AnswerKind> = fc.constantFrom(
  ...answers,
  'refuse',
  'loseAccepted',
  'loseUnaccepted',
  'notConnected',
);

const legOf = (side: 'SELL' | 'BUY') =>
  fc
    .record({
      second: fc.boolean(),
      type: fc.constantFrom('LIMIT', 'MARKET', 'LIMIT', 'MARKET', 'STOP'),
      quantity: fc.integer({ min: 1, max: 9 }),
    })
    .map(({ second, type, quantity }): DraftLeg => {
      const ticker = side === 'SELL' ? (second ? 'BBB' : 'AAA') : second ? 'DDD' : 'CCC';
      const at = (factor: number) => String(Math.round((prices[ticker] ?? 0) * factor * 100) / 100);
      const base = { ticker, side, type, quantity: String(quantity) } as const;
      if (type === 'MARKET') return base;
      const price = type === 'LIMIT' ? { limitPrice: at(limitOf[side]) } : { stopPrice: at(stopOf[side]) };
      return { ...base, ...price, timeValidity: 'DAY' };
    });

const selector = ({ ticker, type, quantity }: DraftLeg) => `${ticker} ${type} ${quantity}`;
const several = (side: 'SELL' | 'BUY', minLength: number, maxLength: number) =>
  fc.uniqueArray(legOf(side), { minLength, maxLength, selector });

const legs = fc.oneof(
  fc.uniqueArray(fc.oneof(legOf('SELL'), legOf('BUY')), { minLength: 1, maxLength: 5, selector }),
  // Buys that wait for several sells.
  fc.tuple(several('BUY', 1, 2), several('SELL', 2, 3)).map(([buys, sells]) => [...buys, ...sells]),
);

const by = fc.nat(2);
const ms = fc.constantFrom(50, 300, 1_000, 3_000, 6_000, 20_000, 61_000, 95_000, 130_000, 301_000, 610_000, 901_000);
const of = <Kind extends Step['kind']>(kind: Kind, more: object = {}) =>
  fc.record({ kind: fc.constant(kind), ...more }) as fc.Arbitrary<Step>;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: of('pass', { ms }) },
  { weight: 8, arbitrary: of('answer', { answer }) },
  { weight: 4, arbitrary: of('kill', { by, points: fc.nat(60) }) },
  { weight: 3, arbitrary: of('start') },
  { weight: 3, arbitrary: of('fill', { share: fc.constantFrom(1, 1, 0.5), most: fc.constantFrom(1, 9) }) },
  { weight: 2, arbitrary: of('submit', { by }) },
  { weight: 2, arbitrary: of('repeat', { by }) },
  { weight: 2, arbitrary: of('approve', { how: fc.constantFrom('right', 'right', 'wrong', 'old') }) },
  { weight: 1, arbitrary: of('decline') },
  { weight: 2, arbitrary: of('stop') },
  { weight: 1, arbitrary: of('discard') },
  { weight: 2, arbitrary: of('halt') },
  { weight: 1, arbitrary: of('resume') },
  { weight: 1, arbitrary: of('setClock', { ms: fc.constantFrom(-1_000, -4_000, -60_000, -3_600_000, 2_000) }) },
  { weight: 1, arbitrary: of('cancel') },
  { weight: 1, arbitrary: of('end', { by }) },
  {
    weight: 2,
    arbitrary: of('storeFails', {
      how: fc.constantFrom('before', 'afterCommit'),
      after: fc.nat(12),
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: of('mistake') },
  {
    weight: 1,
    arbitrary: of('edit', { leg: fc.integer({ min: 1, max: 5 }), how: fc.constantFrom('remove', 'lower') }),
  },
  { weight: 2, arbitrary: of('single', { by }) },
);

/** While a person decides. */
const waiting: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: of('single', { by }) },
  { weight: 3, arbitrary: step },
);

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  approval: fc.constantFrom('none', 'page', 'elicitation'),
  legs,
  isPoor: fc.boolean(),
  fillsAtOnce: fc.boolean(),
  ordersPerMinute: fc.constantFrom(30, 30, 2, 1),
  spare: fc.constantFrom(0, 50),
  script: fc.array(
    fc.oneof({ weight: 2, arbitrary: fc.constant<AnswerKind>('accept') }, { weight: 1, arbitrary: answer }),
    {
      maxLength: 4,
    },
  ),
  before: fc.array(step, { maxLength: 1 }),
  between: fc.array(waiting, { maxLength: 2 }),
  steps: fc.array(step, { maxLength: 14 }),
});
