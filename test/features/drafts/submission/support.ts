/** Drafts submitted through a client, and what reached the simulated service. */
import { expect } from 'vitest';
import type { Setup } from '../../../support/setup.ts';

export type Leg = Record<string, unknown>;

/** An instrument of London that the account holds, below its price of about 11.84. */
export const london = 'QNOON_GB_EQ';
/** An instrument of New York that the account holds; each share is worth about 160 in the account's currency. */
export const newYork = 'QVELT_US_EQ';

/** A limit order that stays pending, because its price is below the market. */
export const buy = (change: Leg = {}): Leg => ({
  type: 'LIMIT',
  ticker: london,
  side: 'BUY',
  quantity: 1,
  limitPrice: 10,
  timeValidity: 'DAY',
  ...change,
});

/** Different orders, for 1, 2, 3 … shares. */
export const buys = (count: number): Leg[] => Array.from({ length: count }, (_, at) => buy({ quantity: at + 1 }));

export const sell = (change: Leg = {}): Leg => ({
  type: 'MARKET',
  ticker: newYork,
  side: 'SELL',
  quantity: 1,
  ...change,
});

export async function save({ call }: Pick<Setup, 'call'>, legs: readonly Leg[]): Promise<string> {
  const { isError, body } = await call('save_draft', { legs });
  expect(isError, JSON.stringify(body)).toBe(false);
  return body.draftId;
}

/** Saves a draft and submits its first version. */
export async function submit(made: Setup, legs: readonly Leg[]) {
  const draftId = await save(made, legs);
  const { isError, body } = await made.call('submit_draft', { draftId, version: 1 });
  return { draftId, isError, body };
}

/** The orders that the service received, oldest first; a sale has a negative quantity. */
export const posts = ({
  simulator,
}: Pick<Setup, 'simulator'>): readonly (readonly [ticker: string, quantity: number])[] =>
  simulator.log
    .filter(({ endpoint }) => String(endpoint).startsWith('place'))
    .map(({ body }) => JSON.parse(body))
    .map(({ ticker, quantity }) => [ticker, quantity] as const);

export const outcomes = (body: { legs: { outcome: string }[] }): string[] => body.legs.map(({ outcome }) => outcome);
