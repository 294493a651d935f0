/** The clients of the web in the store: what ends with what, in both engines. */
// @module-tag server
import { describe, expect, test } from 'vitest';
import { type ClientRow, changeGrants, type GrantRow, type TokenRow } from '../../../src/core/store/grant-table.ts';
import { databases } from './support.ts';

const client: ClientRow = {
  id: 'c1',
  kind: 'registered',
  name: 'Chat',
  secretHash: undefined,
  redirects: ['https://chat.example/callback'],
  createdAt: 1_800_000_000_001,
};
const grant: GrantRow = {
  id: 'g1',
  clientId: 'c1',
  name: 'Chat',
  place: 'chat.example',
  scope: 'draft',
  resource: 'https://broker.example/mcp',
  environment: 'live',
  createdAt: 1_800_000_000_002,
  usedAt: undefined,
};
const token: TokenRow = {
  hash: 't1',
  grantId: 'g1',
  kind: 'code',
  scope: 'draft',
  expiresAt: 1_800_000_000_003,
  spentAt: undefined,
  redirect: 'https://chat.example/callback',
  challenge: 'x',
};
const access: TokenRow = { ...token, hash: 't2', kind: 'access', redirect: undefined, challenge: undefined };

describe.each(databases)('clients, grants and tokens in %s', (_, make) => {
  test('are read as they were written', async () => {
    const engine = (await make()).open();
    const read = await engine.write(async (db) => {
      const tx = changeGrants(db);
      await tx.insertClient(client);
      await tx.insertClient({ ...client, id: 'c0', kind: 'added', secretHash: 'hash' });
      await tx.insertGrant(grant);
      await tx.insertToken(token);
      await tx.insertToken(access);
      const before = await tx.listStrangers();
      await tx.touchGrant('g1', 5);
      await tx.spendToken('t1', 6);
      return [
        before,
        await tx.listClients(),
        await tx.listGrants(),
        await tx.findToken('t1'),
        await tx.findToken('t2'),
      ];
    });
    expect(read).toEqual([
      [],
      [{ ...client, id: 'c0', kind: 'added', secretHash: 'hash' }, client],
      [{ ...grant, usedAt: 5 }],
      { ...token, spentAt: 6 },
      access,
    ]);
  });

  test('a client without a grant is a stranger, and a grant takes its tokens with it', async () => {
    const engine = (await make()).open();
    const read = await engine.write(async (db) => {
      const tx = changeGrants(db);
      await tx.insertClient(client);
      await tx.insertGrant(grant);
      await tx.insertToken(token);
      const ended = [await tx.removeGrant('g1'), await tx.removeGrant('g1')];
      return [ended, await tx.findToken('t1'), await tx.listStrangers(), await tx.removeClient('c1')];
    });
    expect(read).toEqual([[1, 0], undefined, [{ id: 'c1', createdAt: client.createdAt }], 1]);
  });

  test('what expired is removed, and with its last token a grant, but none that was just made', async () => {
    const engine = (await make()).open();
    const read = await engine.write(async (db) => {
      const tx = changeGrants(db);
      for (const [id, createdAt, expiresAt] of [
        ['old', 1, 10],
        ['used', 1, 30],
        ['new', 25, 10],
      ] as const) {
        await tx.insertGrant({ ...grant, id, createdAt });
        await tx.insertToken({ ...token, hash: id, grantId: id, expiresAt });
      }
      await tx.removeExpired(20);
      return [(await tx.listGrants()).map(({ id }) => id), await tx.findToken('new')];
    });
    expect(read).toEqual([['used', 'new'], undefined]);
  });
});
