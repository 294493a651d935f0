/** A clock that was wrong when the store was written: nothing is valid for longer, and nobody is kept out for ever. */
// @module-tag server
// @module-tag slow
import { expect, test, vi } from 'vitest';
import type { TokenRow } from '../../src/core/store/grant-table.ts';
import { createClient, hashOf, maxStrangers } from '../../src/features/oauth/web-client.ts';
import { createPkce, startWorld, type World } from './oauth-support.ts';

const minute = 60_000;
const hour = 60 * minute;
const year = 365 * 24 * hour;

/** Replaces the row of a token. */
const change = (world: World, token: string, changed: Partial<TokenRow>) =>
  world.composed.grants.change(async (tx) => {
    const row = (await tx.findToken(hashOf(token))) as TokenRow;
    const grant = await tx.findGrant(row.grantId);
    await tx.removeGrant(row.grantId);
    if (grant) await tx.insertGrant(grant);
    await tx.insertToken({ ...row, ...changed });
  });

test.each([
  ['in the past', -1, 401],
  ['at the end of its hour', hour, 200],
  ['a minute beyond its hour', hour + minute, 200],
  ['later than that', hour + minute + 1, 401],
  ['in a year', year, 401],
])('an access token that ends %s', async (_, ms, status) => {
  const world = await startWorld();
  const { access_token: token } = await world.connect(await world.newClient());
  await change(world, token, { expiresAt: world.clock.now() + ms });
  expect(await world.tryToken(token)).toBe(status);
});

test.each([
  ['a code', 2 * minute + 1],
  ['a refresh token', 30 * 24 * hour + minute + 1],
])('%s that ends too late gives nothing', async (kind, ms) => {
  const world = await startWorld();
  const client = await world.newClient();
  const pkce = createPkce();
  const code = (await world.login(client, pkce)).get('code') ?? '';
  const proof = { code, code_verifier: pkce.verifier };
  const expiresAt = world.clock.now() + ms;
  if (kind === 'a code') {
    await change(world, code, { expiresAt });
    expect((await world.exchange(client, proof)).status).toBe(400);
  } else {
    const { refresh_token: token } = (await world.exchange(client, proof)).json;
    await change(world, token, { expiresAt });
    expect((await world.refresh(client, token)).status).toBe(400);
  }
});

test('a clock that steps back a minute ends no login, no grant and no repetition', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const pkce = createPkce();
  const code = (await world.login(client, pkce)).get('code') ?? '';
  const now = world.clock.now();
  const at = vi.spyOn(world.clock, 'now').mockReturnValue(now - minute);
  const first = await world.exchange(client, { code, code_verifier: pkce.verifier });
  expect(first.status).toBe(200);
  at.mockReturnValue(now);
  const second = await world.refresh(client, first.json.refresh_token);
  expect(second.status).toBe(200);
  at.mockReturnValue(now - minute);
  expect((await world.refresh(client, first.json.refresh_token)).json).toEqual(second.json);
  expect(await world.tryToken(second.json.access_token)).toBe(200);
  at.mockReturnValue(now - minute - 1);
  expect((await world.refresh(client, first.json.refresh_token)).status).toBe(400);
});

test('a refresh token that was spent in the future is a theft, and no repetition', async () => {
  const world = await startWorld();
  const client = await world.newClient();
  const { refresh_token: token } = await world.connect(client);
  await change(world, token, { spentAt: world.clock.now() + year });
  expect((await world.refresh(client, token)).status).toBe(400);
  expect(await world.composed.grants.read((tx) => tx.listGrants())).toEqual([]);
});

test('registrations from the future make room for new ones', async () => {
  const world = await startWorld();
  await world.composed.grants.change(async (tx) => {
    for (let count = 0; count < maxStrangers; count++)
      await tx.insertClient(
        createClient('registered', 'Chat', ['https://chat.example/'], world.clock.now() + year).row,
      );
  });
  expect((await world.register()).status).toBe(201);
});
