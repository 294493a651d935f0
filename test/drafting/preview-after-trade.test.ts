/** The preview of a sale soon after an own trade: the account and the history are copies that can be older than it. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { readWhole } from '../support/fake-history.ts';
import { type Setup, setup } from '../support/setup.ts';

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

async function sell({ call }: Setup, ticker: string) {
  const { body } = await call('place_market_order', { ticker, side: 'SELL', quantity: 2 });
  expect(body.outcome).toBe('placed');
}

test.each([1, 45])('%i s after a sale was filled, position and gain are those after it', async (seconds) => {
  const { made, ticker, held } = await withHolding();
  await sell(made, ticker);
  await made.clock.advance(seconds * 1000);
  const { body } = await made.call('preview_order', sale(ticker));
  expect(body.position).toEqual({ before: held.minus(2).toFixed(), after: held.minus(4).toFixed() });
  expect(body.whatIf.missing).toBeUndefined();
  expect(body.whatIf.quantityLeft).toBe(held.minus(4).toFixed());
});

test('copies that were read a second after the sale are read again later', async () => {
  const { made, ticker, held } = await withHolding();
  await sell(made, ticker);
  for (const seconds of [0.1, 8, 10, 20]) {
    await made.clock.advance(seconds * 1000);
    await made.call('preview_order', sale(ticker));
  }
  const { body } = await made.call('preview_order', sale(ticker));
  expect(body.position.before).toBe(held.minus(2).toFixed());
  expect(body.whatIf.quantityLeft).toBe(held.minus(4).toFixed());
});
