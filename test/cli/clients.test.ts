/** The command that lists, adds and disconnects the clients of the web. */
// @module-tag server
import { expect, test } from 'vitest';
import { grantLogin } from '../../src/features/oauth/grants.ts';
import { hashOf } from '../../src/features/oauth/web-client.ts';
import { runCommand } from '../support/command.ts';
import { makeStateFolder } from '../support/state-folder.ts';
import { openStateStore } from '../support/state-store.ts';

const redirect = 'https://chat.example/callback';

async function open() {
  const folder = await makeStateFolder('brokerage-mcp-clients-');
  return {
    folder,
    run: (...argv: string[]) => runCommand(['clients', ...argv], { HOME: folder, BROKER_STATE_DIR: folder }),
  };
}

test('an added client has an id and a secret, which is shown once', async () => {
  const { folder, run } = await open();
  const added = await run('add', 'Chat', '--redirect', `${redirect}, http://localhost/callback`);
  const [, id, secret] = /^Client id: {5}([\w-]{22})\nClient secret: ([\w-]{43})\n$/.exec(added.stdout) ?? [];
  expect([added.code, secret?.length, added.stderr]).toEqual([0, 43, expect.stringContaining('shown once')]);
  expect(JSON.parse((await run('--json')).stdout)).toEqual({
    connected: [],
    added: [
      {
        id,
        name: 'Chat',
        redirects: [redirect, 'http://localhost/callback'],
        addedAt: expect.stringMatching(/Z$/),
      },
    ],
  });
  const store = openStateStore(folder);
  const row = await store.journal.read((tx) => tx.findClient(id ?? ''));
  await store.close();
  expect(row?.secretHash).toBe(hashOf(secret ?? ''));
  expect((await run('revoke', id ?? '')).code).toBe(0);
  expect((await run('list')).stdout).toBe('No client is connected over the web.\n');
});

test('the list has each connected client, and revoking one leaves the others', async () => {
  const { folder, run } = await open();
  const store = openStateStore(folder);
  const client = { id: 'https://chat.example/client.json', name: 'Chat', redirects: [redirect] };
  const login = { client, redirect, challenge: 'x', scope: 'trade' } as const;
  const audience = { resource: 'https://broker.example/mcp', environment: 'sandbox' } as const;
  const at = Date.now();
  for (const scope of ['trade', 'read'] as const)
    await store.journal.change((tx) => grantLogin(tx, { ...login, scope }, audience, at));
  // A login that was never finished is not listed.
  expect((await run()).stdout).toBe('No client is connected over the web.\n');
  await store.journal.change(async (tx) => {
    for (const { id } of await tx.listGrants()) await tx.touchGrant(id, at);
  });
  const listed = JSON.parse((await run('--json')).stdout).connected;
  expect(
    listed
      .map(({ name, place, scope, environment }: Record<string, string>) => [name, place, scope, environment])
      .sort(),
  ).toEqual([
    ['Chat', 'chat.example', 'read', 'sandbox'],
    ['Chat', 'chat.example', 'trade', 'sandbox'],
  ]);
  const shown = (await run()).stdout;
  expect(shown).toMatch(/^id +client +goes to +may +environment +connected +last used$/m);
  expect(shown).toMatch(/“Chat” +chat\.example +trade +sandbox/);
  expect((await run('revoke', listed[0].id)).stdout).toContain('disconnected');
  expect(JSON.parse((await run('--json')).stdout).connected).toEqual([listed[1]]);
  // By the id of the client, all that it has.
  expect((await run('revoke', client.id)).code).toBe(0);
  expect(await store.journal.read((tx) => tx.listGrants())).toEqual([]);
  for (const other of ['https://a.example/', 'https://b.example/'])
    await store.journal.change((tx) => grantLogin(tx, { ...login, client: { ...client, id: other } }, audience, at));
  const all = await run('revoke', '--all');
  expect([all.code, all.stdout]).toEqual([0, 'All clients are disconnected. What was open ends within seconds.\n']);
  expect(await store.journal.read((tx) => tx.listGrants())).toEqual([]);
  await store.close();
});

test.each([
  ['an unknown action', ['ad']],
  ['no name', ['add', '--redirect', redirect]],
  ['no address', ['add', 'Chat']],
  ['an address without encryption', ['add', 'Chat', '--redirect', 'http://chat.example/']],
  ['no id', ['revoke']],
  ['an id and all', ['revoke', 'x', '--all']],
  ['an id that does not exist', ['revoke', 'x']],
])('%s is a usage error', async (_, argv) => {
  expect((await (await open()).run(...argv)).code).toBe(2);
});
