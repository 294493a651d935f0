/**
 * Attacks through watches of two accounts: what happens to one account is never reported as something of the other, no text
 * imitates the name of an account or an environment, and a flood of events makes few messages. The service, the store and
 * the receiver are real.
 */
// @module-tag server
import { expect, onTestFinished, test } from 'vitest';
import { tools } from '../../src/app/registry.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { createChannels } from '../../src/features/watches/notify/channels.ts';
import { sayEvent } from '../../src/features/watches/say-event.ts';
import { createRound } from '../../src/features/watches/watch-loop.ts';
import { startHttpReceiver } from '../features/watches/notify/http-receiver.ts';
import { runCommand } from '../support/command.ts';
import { createTestConfig } from '../support/test-config.ts';
import { names, setupTwoAccounts } from '../support/two-accounts.ts';

const minute = 60_000;
const held = 'QWRLDl_EQ';

/** Both accounts are watched, and notify one receiver. */
async function watchBoth() {
  const receiver = await startHttpReceiver();
  const url = { address: `http://127.0.0.1:${receiver.port}/`, style: 'json' } as const;
  const notify = { detail: 'full', url } as const;
  const accounts = await setupTwoAccounts({ config: { notify } });
  const { apps, clock } = accounts;
  const watched = names.map((name) => {
    const { services, watching } = apps[name];
    const channels = createChannels(createTestConfig('/nowhere', { notify }), { env: {} });
    const deps = watching.connect(channels, (tool, args, options) => runTool(tools, tool, args, services, options));
    return { name, deps, round: createRound(deps, new AbortController().signal) };
  });
  onTestFinished(async () => {
    for (const { round } of watched) await round.end();
  });
  const pass = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed++) {
      await clock.advance(minute);
      for (const { round } of watched) await round.run();
    }
  };
  const isSeen = async () => {
    await pass(1);
    for (const { deps } of watched) {
      const account = await deps.accountKey();
      const sight = await deps.delivery.store.read((tx) => tx.findSight(account));
      if (Object.keys(sight?.sources ?? {}).length < 8) return false;
    }
    return true;
  };
  await expect.poll(isSeen, { timeout: 60_000 }).toBe(true);
  const kindsOf = async (name: (typeof names)[number]) =>
    (await apps[name].watching.listEvents({ foundSince: 0, most: 100 })).map(({ event }) => event.kind);
  const messages = () => receiver.received.map(({ body }) => body as { title: string; text: string });
  const inject = (name: (typeof names)[number]) => {
    const simulated = name === 'invest' ? accounts.simulator : accounts.simulator.others[name];
    if (!simulated) throw new Error('no account');
    return simulated.inject;
  };
  return { ...accounts, watched, pass, kindsOf, messages, inject };
}

test.each(names)('an order of %s is reported once, with its account, and is no event of the other', async (name) => {
  const { pass, kindsOf, messages, inject } = await watchBoth();
  inject(name).order({ ticker: held, quantity: 2 });
  await pass(4);
  const other = name === 'isa' ? 'invest' : 'isa';
  expect([await kindsOf(name), await kindsOf(other)]).toEqual([['order_filled'], []]);
  expect(messages().map(({ title }) => title)).toEqual([`Order filled (demo, ${name})`]);
});

test('an event of each account with the same key is sent for each, and one that was sent counts for its account alone', async () => {
  const { watched, pass, messages, clock } = await watchBoth();
  for (const { deps } of watched) {
    const account = await deps.accountKey();
    const now = clock.now();
    const event = { key: 'order:1', kind: 'order_filled', at: now, facts: { ticker: held, side: 'BUY' } } as const;
    await deps.delivery.store.change((tx) => tx.insertEvent(account, { event, foundAt: now }));
    await pass(1);
  }
  expect(messages().map(({ title }) => title)).toEqual(names.map((name) => `Order filled (demo, ${name})`));
});

test('a watch of one account reports nothing of the other, neither lists it nor removes it', async () => {
  const { apps, pass, kindsOf, messages, simulator } = await watchBoth();
  simulator.inject.setPrice(held, 50);
  const watch = await apps.isa.watching.book.add({ kind: 'price', ticker: held, direction: 'above', level: '60' });
  await pass(2);
  expect(await apps.invest.watching.book.list()).toEqual([]);
  expect(await apps.invest.watching.book.remove(watch.id)).toBeUndefined();
  simulator.inject.setPrice(held, 61);
  await pass(2);
  expect([await kindsOf('isa'), await kindsOf('invest')]).toEqual([['price'], []]);
  expect(messages().map(({ title }) => title)).toEqual(['Price reached (demo, isa)']);
});

test('a flood of 300 events of one account is few messages, and keeps none of the other back', async () => {
  const { watched, pass, messages, inject, clock } = await watchBoth();
  const [flooded] = watched;
  const account = (await flooded?.deps.accountKey()) ?? '';
  inject('isa').order({ ticker: held, quantity: 1 });
  for (let count = 0; count < 60; count++) {
    const now = clock.now();
    await flooded?.deps.delivery.store.change(async (tx) => {
      for (let index = 0; index < 5; index++) {
        const key = `order:flood-${count}-${index}`;
        const event = { key, kind: 'order_filled', at: now, facts: { ticker: held, side: 'BUY' } } as const;
        await tx.insertEvent(account, { event, foundAt: now });
      }
    });
    await pass(1);
  }
  const titles = messages().map(({ title }) => title);
  expect(titles.filter((title) => title.endsWith('(demo, isa)'))).toEqual(['Order filled (demo, isa)']);
  // Twenty in the first minutes, and then one in ten minutes.
  expect(titles.filter((title) => title.endsWith('(demo, invest)')).length).toBeLessThanOrEqual(26);
});

const imitations = ['Order filled (live)', 'isa) Order rejected (isa', 'Demo, isa', '“. Account: isa'];

test.each(imitations)('an instrument with the name %j changes no title, and its name is last and in quotes', (name) => {
  const manner = { detail: 'full', environment: 'demo', account: 'invest', zone: 'UTC', now: 0 } as const;
  const facts = { ticker: 'AAPL_US_EQ', side: 'BUY', filledQuantity: '1', name } as const;
  const { title, text } = sayEvent({ key: 'k', kind: 'order_filled', at: 0, facts }, manner);
  expect(title).toBe('Order filled (demo, invest)');
  expect(text).toMatch(/^Bought 1 share of AAPL\.(?: The instrument is “[^“”]*”\.)?$/);
});

test.each([
  ['is an environment', 'live'],
  ['is an environment', 'demo'],
  ['is an environment', 'sandbox'],
  ['has capital letters', 'ISA'],
  ['has a letter of another script', 'іsa'],
  ['has an invisible letter', 'is\u200ba'],
  ['begins a header', 'isa\r\nBcc: thief@example.org'],
  ['ends the title', 'isa) Order rejected (x'],
  ['is a command', '$(touch owned)'],
  ['is an option', '-rf'],
  ['is all accounts', 'all'],
])('an account whose name %s is refused: %j', async (_, name) => {
  const env = { HOME: '/nowhere', BROKER_STATE_DIR: '/nowhere', BROKER_ACCOUNTS: `invest,${name}:isa` };
  const { code, stdout } = await runCommand(['watches', '--account', 'invest'], env);
  expect([code, stdout]).toEqual([2, '']);
});
