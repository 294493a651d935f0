/** What a host can do with the watches: add one, list them, and follow what was found. */
// @module-tag server
import { expect, test } from 'vitest';
import { maxWatches } from '../../../src/features/watches/watch-rules.ts';
import { setup } from '../../support/setup.ts';
import { halt } from './support.ts';

const held = 'QWRLDl_EQ';

test('a watch is added once, and listed with what is always reported', async () => {
  const { call, clock } = await setup();
  const { body: none } = await call('watch');
  expect(none).toMatchObject({ watching: false, rows: [] });
  expect(none.always).toHaveLength(9);
  const { body: price } = await call('watch', { ticker: held, when: 'above 1000.50' });
  expect(price.watchId).toMatch(/^[0-9a-f]{8}$/);
  expect((await call('watch', { ticker: held, when: ' Above  1000.5 ' })).body.watchId).toBe(price.watchId);
  await clock.advance(1);
  const { body: move } = await call('watch', { when: 'moves 5%' });
  const { body } = await call('watch', {});
  expect([body.columns, ...body.rows]).toEqual([
    ['watchId', 'kind', 'ticker', 'above', 'below', 'percent'],
    [price.watchId, 'price', held, '1000.5', null, null],
    [move.watchId, 'move', null, null, null, '5'],
  ]);
});

test.each([
  ['a price of what is not held', { ticker: 'ZNOTHELD_US_EQ', when: 'above 5' }, 'no_price'],
  ['a move of what is not held', { ticker: 'ZNOTHELD_US_EQ', when: 'moves 5' }, 'no_price'],
  ['a price of the portfolio', { when: 'above 5' }, 'invalid_argument'],
  ['no level', { ticker: held }, 'invalid_argument'],
  ['a price of nothing', { ticker: held, when: 'above 0' }, 'invalid_argument'],
  ['a price below zero', { ticker: held, when: 'above -5' }, 'invalid_argument'],
  ['a level without a direction', { ticker: held, when: '5' }, 'invalid_argument'],
  ['a level that is no number', { ticker: held, when: 'above high' }, 'invalid_argument'],
  ['two levels', { ticker: held, when: 'above 5 below 4' }, 'invalid_argument'],
  ['a move of nothing', { when: 'moves 0' }, 'invalid_argument'],
])('%s cannot be watched', async (_, args, code) => {
  const { call } = await setup();
  const { isError, body } = await call('watch', args);
  expect([isError, body.code]).toEqual([true, code]);
  expect((await call('watch')).body.rows).toEqual([]);
});

test('a read-only server watches too, since nothing changes at the broker', async () => {
  const { call, requests } = await setup({ config: { readOnly: true } });
  expect((await call('watch', { ticker: held, when: 'below 5' })).isError).toBe(false);
  expect(requests()).toEqual(['listPositions']);
});

test('an account has a bounded number of watches', async () => {
  const { composed, call } = await setup();
  for (let level = 1; level <= maxWatches; level++)
    await composed.watching.book.add({ kind: 'price', ticker: held, direction: 'above', level: String(level) });
  expect((await call('watch', { when: 'moves 5' })).body.code).toBe('invalid_argument');
});

test('a host that subscribed to the events is notified of each, and reads them', async () => {
  const { client, composed } = await setup();
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
  const uri = 'events://recent';
  await client.subscribeResource({ uri });
  const { store } = composed.watching.connect([], async () => ({ isError: true, text: '', body: {} })).delivery;
  const account = await composed.watching.accountKey();
  const now = composed.services.clock.now();
  const keep = (key: string) =>
    store.change((tx) => tx.insertEvent(account, { event: halt(key, now), foundAt: composed.services.clock.now() }));
  const readKinds = async () => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(String(content && 'text' in content ? content.text : '')).events.map(
      ({ kind, since }: { kind: string; since: number }) => [kind, since],
    );
  };
  expect(await readKinds()).toEqual([]);
  await keep('halt:1');
  await expect.poll(() => updated).toEqual([uri]);
  expect(await readKinds()).toEqual([['halt', now]]);
  await client.unsubscribeResource({ uri });
  await keep('halt:2');
  await composed.services.clock.sleep(10_000);
  expect(updated).toEqual([uri]);
  await expect(client.subscribeResource({ uri: 'account://summary' })).rejects.toThrow();
});
