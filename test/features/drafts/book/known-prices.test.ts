/** The prices that the account shows for the legs of a draft. */
import { expect, test } from 'vitest';
import type { Broker, CallContext } from '../../../../src/core/broker/types.ts';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { addKnownPrices } from '../../../../src/features/drafts/book/legs.ts';
import { leg } from './support.ts';

const context: CallContext = { priority: 'read', deadlineAt: 1 };
const legs = [leg(), leg({ ticker: 'BBB_EQ' })];
const broker = (call: () => Promise<unknown>) => ({ call }) as unknown as Broker;

test('a leg has the price of its position, and none where nothing is held', async () => {
  const data = [{ instrument: { ticker: 'AAA_EQ' }, currentPrice: '12.5' }];
  const priced = await addKnownPrices(
    broker(async () => ({ data })),
    legs,
    context,
  );
  expect(priced.map(({ price }) => price)).toEqual(['12.5', undefined]);
});

test('no leg has a price when the positions cannot be read', async () => {
  const failed = broker(async () => {
    throw new BrokerageError('rate_limited', 'Wait.', 'Wait.');
  });
  expect(await addKnownPrices(failed, legs, context)).toEqual(legs);
});

test('a fault of the program is an error', async () => {
  const fault = new TypeError('a fault');
  const broken = broker(async () => {
    throw fault;
  });
  await expect(addKnownPrices(broken, legs, context)).rejects.toBe(fault);
});
