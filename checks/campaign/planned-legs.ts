/** The legs of the drafts that are sent: each with a quantity of its own, by which it is known on the wire. */
import { tickers } from './account.ts';
import type { Site } from './fixture.ts';
import { anyOrder } from './orders.ts';
import type { Random } from './random.ts';

export interface CampaignLeg {
  readonly type: string;
  readonly ticker: string;
  readonly side: string;
  readonly quantity: string;
  readonly [name: string]: unknown;
}

/**
 * Sells of one ticker and buys of another, mixed. With the rounds 0 to 4 no two drafts of a store trade a ticker in the
 * same direction, which would need `repeatOf`.
 */
export function makeLegs(
  { newQuantity }: Site,
  random: Random,
  { sells, buys, round = random.below(tickers.length) }: { sells: number; buys: number; round?: number },
): readonly CampaignLeg[] {
  const leg = (side: 'BUY' | 'SELL', quantity: string): CampaignLeg => {
    const ticker = tickers[(side === 'SELL' ? round : round + 1) % tickers.length];
    const { tool, args } = anyOrder(random, quantity, ticker, side);
    return { ...args, type: tool.replace('place_', '').replace('_order', '').toUpperCase() };
  };
  const legs = [
    ...Array.from({ length: buys }, () => leg('BUY', newQuantity())),
    // After the buys, so that each sell is larger than any buy and pays for one.
    ...Array.from({ length: sells }, () => leg('SELL', newQuantity())),
  ];
  return legs
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** The sequence in which the legs of a version must leave. */
export const inSendingOrder = (legs: readonly CampaignLeg[]): readonly CampaignLeg[] => [
  ...legs.filter(({ side }) => side === 'SELL'),
  ...legs.filter(({ side }) => side === 'BUY'),
];
