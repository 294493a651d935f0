/** The preview of a sale soon after an own trade: the account and the history are copies that can be older than it. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { readWhole } from '../../support/fake-history.ts';
import { type Setup, setup } from '../../support/setup.ts';

/** A server that has read the whole history, and a holding that its fills explain. */
async function withHolding() {
  const made = await setup();
  await readWhole(made, 'orders');
  await readWhole(made, 'dividends');
  for (const { ticker, quantity, quantityInPies } of made.simulator.groundTruth().positions) {
    if (new Big(quantity).minus(quantityInPies ?? 0).lt(8)) continue;
    const { body } = await made.call('preview_order', sale(ticker));
    if (body.whatIf?.gain !== undefined) return { made, ticker, held: new Big(quantity) };
  }
  throw new Error('no holding is large enough');
}

const sale = (ticker: string) => ({ type: 'MARKET', ticker, side: 'SELL', quantity: 2 });

async function sell({ call }: Setup, ticker: string, quantity: number) {
  const { body } = await call('place_market_order', { ticker, side: 'SELL', quantity });
  expect(body.outcome).toBe('placed');
}

test('soon after a sale was filled, position and gain are those after it, also where copies were read a second after it', {
  tags: ['slow'],
}, async () => {
  const { made, ticker, held } = await withHolding();
  let sold = 0;
  const expectSold = async (quantity: number) => {
    sold += quantity;
    const { body } = await made.call('preview_order', sale(ticker));
    expect(body.position).toEqual({ before: held.minus(sold).toFixed(), after: held.minus(sold + 2).toFixed() });
    expect(body.whatIf.missing).toBeUndefined();
    expect(body.whatIf.quantityLeft).toBe(held.minus(sold + 2).toFixed());
  };
  // Of different quantities, so that none repeats another.
  for (const [quantity, seconds] of [
    [2, 1],
    [1, 45],
  ] as const) {
    await sell(made, ticker, quantity);
    await made.clock.advance(seconds * 1000);
    await expectSold(quantity);
    await made.clock.advance(600_000);
  }
  await sell(made, ticker, 3);
  for (const seconds of [0.1, 8, 10, 20]) {
    await made.clock.advance(seconds * 1000);
    await made.call('preview_order', sale(ticker));
  }
  await expectSold(3);
});
