/** Random accounts and requests, from the trivial to the contradictory. */
import * as fc from 'fast-check';
import type { ChargeRate, PlanAsset, PlanGoal, PlanRequest } from '../../../src/features/planner/plan-types.ts';

export interface RandomCase {
  readonly request: PlanRequest;
  readonly cash: string;
  readonly assets: readonly PlanAsset[];
}

/** A decimal from units of its last digit. */
export const toDecimal = (units: number, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const decimal = (max: number, decimals: number) => fc.nat({ max }).map((units) => toDecimal(units, decimals));
const oneIn = (chance: number) => fc.nat({ max: chance - 1 }).map((value) => value === 0);

const charges: fc.Arbitrary<readonly ChargeRate[] | undefined> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.tuple(decimal(500, 4), decimal(99, 5)).map(([fee, tax]) => [
      { kind: 'CURRENCY_CONVERSION_FEE', rate: fee, fills: 4 },
      { kind: 'STAMP_DUTY', rate: tax, fills: 2 },
    ]),
  },
);

const assetNamed = (ticker: string): fc.Arbitrary<PlanAsset> =>
  fc
    .record({
      quantityDecimals: fc.constantFrom(0, 0, 1, 2, 6),
      priceDecimals: fc.constantFrom(0, 1, 2),
      priceUnits: fc.integer({ min: 1, max: 30_000 }),
      rate: fc.constantFrom('1', '1', '0.01', '0.793651'),
      heldUnits: fc.nat({ max: 4_000 }),
      heldDecimals: fc.constantFrom(0, 1, 2),
      unsellablePercent: fc.constantFrom(0, 0, 0, 30, 100, -50),
      buy: charges,
      sell: charges,
    })
    .map(
      ({
        quantityDecimals,
        priceDecimals,
        priceUnits,
        rate,
        heldUnits,
        heldDecimals,
        unsellablePercent,
        buy,
        sell,
      }) => ({
        ticker,
        held: toDecimal(heldUnits, heldDecimals),
        sellable: toDecimal(Math.floor((heldUnits * (100 - unsellablePercent)) / 100), heldDecimals),
        price: toDecimal(priceUnits, priceDecimals),
        priceFrom: 'position' as const,
        priceDecimals,
        rate,
        quantityDecimals,
        charges: { BUY: buy, SELL: sell },
      }),
    );

const names = ['A', 'B', 'C', 'D', 'E', 'F'];

/** Weights of 0 to 100 that sum to at most 100. */
const weightsFor = (count: number) =>
  fc
    .record({ parts: fc.array(fc.nat({ max: 50 }), { minLength: count, maxLength: count }), isFull: fc.boolean() })
    .map(({ parts, isFull }) => {
      const all = parts.reduce((total, part) => total + part, 0);
      const scale = all === 0 ? 0 : isFull ? 10_000 : Math.min(10_000, all * 100);
      return parts.map((part) => toDecimal(all === 0 ? 0 : Math.floor((part * scale) / all), 2));
    });

/** How often each goal is drawn. */
const goalWeights: Readonly<Record<PlanGoal, number>> = { rebalance: 2, invest: 1, raise: 1 };
const goals = (Object.keys(goalWeights) as PlanGoal[]).map((goal) => ({
  weight: goalWeights[goal],
  arbitrary: fc.constant(goal),
}));

const requestFor = (tickers: readonly string[]): fc.Arbitrary<PlanRequest> =>
  fc
    .record({
      goal: fc.oneof(...goals),
      hasTargets: oneIn(4).map((value) => !value),
      weights: weightsFor(tickers.length),
      amount: decimal(2_000_00, 2),
      hasAmount: fc.boolean(),
      band: decimal(500, 2),
      minOrderValue: fc.constantFrom('5', '1', '50'),
      keepCash: decimal(200_00, 2),
      allowSells: oneIn(4).map((value) => !value),
      orderType: fc.constantFrom('MARKET' as const, 'LIMIT' as const),
      limitOffsetPercent: fc.integer({ min: -30, max: 30 }).map((tenths) => String(tenths / 10)),
    })
    .map(({ hasTargets, weights, amount, hasAmount, ...rest }) => {
      const isRebalance = rest.goal === 'rebalance';
      return {
        ...rest,
        ...(rest.goal === 'raise' ? { allowSells: true } : {}),
        ...(hasTargets || isRebalance
          ? { targets: tickers.map((ticker, index) => ({ ticker, weightPercent: weights[index] ?? '0' })) }
          : {}),
        ...(hasAmount || !isRebalance ? { amount } : {}),
      };
    });

/** One to six assets, and a request that names them all or none. */
export const randomCases: fc.Arbitrary<RandomCase> = fc.integer({ min: 1, max: names.length }).chain((count) => {
  const tickers = names.slice(0, count);
  const alike = assetNamed('').map((asset) => tickers.map((ticker) => ({ ...asset, ticker })));
  return fc.record({
    // Equal assets: only the ticker breaks a tie.
    assets: fc.oneof({ weight: 4, arbitrary: fc.tuple(...tickers.map(assetNamed)) }, { weight: 1, arbitrary: alike }),
    request: requestFor(tickers),
    cash: decimal(3_000_00, 2),
  });
});
