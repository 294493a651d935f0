import { expect, test } from 'vitest';
import { loadAnew } from '../../support/load-anew.ts';

const load = () => loadAnew<typeof import('../../../src/core/store/engine.ts')>('src/core/store/engine.ts');

test('a store that cannot be used is the one of this machine, unless it is said to be the shared one', async () => {
  const { storeUnavailable } = await load();
  expect(storeUnavailable('disk_full', 'the disk is full')).toMatchObject({
    code: 'store_unavailable',
    message: 'The local store cannot be used: the disk is full.',
    next: expect.stringContaining('state folder'),
    facts: {},
    cause: { store: 'disk_full' },
  });
  expect(storeUnavailable('standby', 'it is read-only', { which: 'shared', next: 'Do this.' })).toMatchObject({
    message: 'The shared store cannot be used: it is read-only.',
    next: 'Do this.',
    cause: { store: 'standby' },
  });
});

test.each(['local', 'shared'] as const)(
  'a %s store of a newer version is said to need a newer program',
  async (which) => {
    const { newerSchemaError } = await load();
    expect(newerSchemaError(which)).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(`^The ${which} store cannot be used: it was written by a newer version`),
      next: expect.stringContaining('Update brokerage-mcp'),
      cause: { store: 'newer_version' },
    });
  },
);
