/** The engine without a server: what it does before the first answer, and at its end. */
import { expect, test } from 'vitest';
import { createPostgresEngine } from '../../../../src/core/store/postgres/postgres-engine.ts';
import { errorOf } from '../../../support/error-of.ts';

const open = () => {
  const own = { now: () => 1_000, sleep: async () => undefined };
  // Nothing listens at this port.
  return createPostgresEngine({ url: 'postgres://me@127.0.0.1:9/x', clock: own, self: 'me' });
};

test('before it is used, an engine has connected to nothing, and its time is that of this machine', async () => {
  const engine = open();
  expect(engine.clock.now()).toBe(1_000);
  expect(engine.clock.ahead()).toBeUndefined();
  expect(engine.isAlive('me')).toBe(true);
  await engine.close();
});

test.each(['read', 'write'] as const)(
  'each %s of a database that refuses connections tries again, and is refused',
  async (kind) => {
    const engine = open();
    const first = await errorOf(engine[kind](async () => undefined));
    const second = await errorOf(engine[kind](async () => undefined));
    expect([first.cause, second.cause]).toEqual([{ store: 'unreachable' }, { store: 'unreachable' }]);
    expect(second).not.toBe(first);
    await engine.close();
  },
);

test('after its end an engine is not used any more, and ending it twice is no error', async () => {
  const engine = open();
  await errorOf(engine.read(async () => undefined));
  await engine.close();
  expect((await errorOf(engine.read(async () => undefined))).cause).toEqual({ store: 'ending' });
  expect((await errorOf(engine.write(async () => undefined))).cause).toEqual({ store: 'ending' });
  await engine.close();
});
