/** A store that vanished, was emptied, replaced or restored: live refuses orders until the owner confirms it. */
// @module-tag server
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { warnOfMissingStore, warnOfStoreChange } from '../../src/app/store-warning.ts';
import { confirmStore, findStoreChange, keepStoreMark } from '../../src/core/orders/halt/store-change.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../src/core/store/journal-table.ts';
import { createStoreWitness, storeFile } from '../../src/core/store/store-location.ts';
import { openEngine, tempFolder } from '../core/store/support.ts';
import { order as pending, setup } from '../support/setup.ts';
import { createTestConfig } from '../support/test-config.ts';
import { attack, order } from './support.ts';

/** Leaves an empty file. It is another file: closed connections of this process may still hold the one before. */
const empty = (stateDir: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${storeFile(stateDir)}${end}`, { force: true });
  writeFileSync(storeFile(stateDir), '');
};

/** A machine with a configuration folder, on which stores are opened and closed one after the other. */
function machine() {
  const configDir = tempFolder();
  const stateDir = join(tempFolder(), 'state');
  const open = async <Result>(
    work: (journal: Journal, witness: ReturnType<typeof createStoreWitness>) => Promise<Result>,
    dir = stateDir,
    config = configDir,
  ): Promise<Result> => {
    const engine = openEngine(storeFile(dir));
    const journal = createJournal<Intent, never>(engine, { now: () => 1 }) as unknown as Journal;
    try {
      return await work(journal, createStoreWitness(config, { stateDir: dir }));
    } finally {
      await engine.close();
    }
  };
  /** What the commit of an order writes, and the mark after it. */
  const send = (name: string, dir?: string) =>
    open(async (journal, witness) => {
      await journal.change((tx) => tx.note('demo', name, {}));
      await keepStoreMark(journal, witness);
    }, dir);
  const look = (dir?: string, config?: string) =>
    open((journal, witness) => journal.read((tx) => findStoreChange(tx, witness)), dir, config);
  return { configDir, stateDir, file: storeFile(stateDir), open, send, look };
}

describe('a store', () => {
  test('of a first start is not remarked, and neither is one with which orders were sent', async () => {
    const { look, send } = machine();
    expect(await look()).toBeUndefined();
    await send('one');
    await send('two');
    expect(await look()).toBeUndefined();
  });

  test.each<[string, (made: ReturnType<typeof machine>) => Promise<unknown> | unknown, string]>([
    ['that was emptied', ({ stateDir }) => empty(stateDir), 'new'],
    ['that was removed', ({ file }) => rmSync(file), 'new'],
    [
      'that another one replaced',
      async ({ file, send }) => {
        const other = join(tempFolder(), 'other');
        await send('elsewhere', other);
        copyFileSync(storeFile(other), file);
      },
      'other',
    ],
    ['that an older copy replaced', ({ file }) => copyFileSync(`${file}.copy`, file), 'older'],
  ])('%s is noticed, also after orders, until the owner confirms it', async (_, damage, change) => {
    const made = machine();
    const { send, look, open, file } = made;
    await send('one');
    copyFileSync(file, `${file}.copy`);
    await send('two');
    await damage(made);
    expect(await look()).toBe(change);
    await send('three');
    await send('four');
    expect(await look()).toBe(change);
    await open(confirmStore);
    expect(await look()).toBeUndefined();
    await send('five');
    expect(await look()).toBeUndefined();
  });

  test('that was moved to another folder is the same one; an older copy of it is not', async () => {
    const { send, look, stateDir, file } = machine();
    await send('one');
    copyFileSync(file, `${file}.copy`);
    await send('two');
    const moved = join(tempFolder(), 'moved');
    renameSync(stateDir, moved);
    expect(await look(moved)).toBeUndefined();
    const restored = join(tempFolder(), 'restored');
    mkdirSync(restored);
    copyFileSync(join(moved, 'store.sqlite.copy'), storeFile(restored));
    expect(await look(restored)).toBe('older');
    expect(await look(stateDir)).toBe('new');
  });

  test('with a configuration folder that knows nothing is not remarked', async () => {
    const { send, look, configDir } = machine();
    await send('one');
    expect(await look(undefined, tempFolder())).toBeUndefined();
    const [name = ''] = readdirSync(join(configDir, 'stores'));
    expect(statSync(join(configDir, 'stores', name)).mode & 0o777).toBe(0o600);
    writeFileSync(join(configDir, 'stores', name), '{');
    expect(await look()).toBeUndefined();
  });
});

const place = 'place_limit_order';

test('live refuses orders with an emptied store, cancels, and asks for an enrolment after it is confirmed', async () => {
  const attacked = await attack();
  const { journal, settings } = attacked.composed;
  if (settings.witness) await keepStoreMark(journal, settings.witness);
  await attacked.composed.close();
  empty(attacked.stateDir);
  const later = await attacked.process();
  expect(await later.call(place, order)).toMatchObject({ outcome: 'refused', rule: 'store_changed' });
  const status = await later.call('get_server_status');
  expect(status).toMatchObject({ store: { state: 'changed' }, trading: { state: 'off', rule: 'store_changed' } });
  expect(await later.call('cancel_order', { orderId: '1' })).not.toMatchObject({ rule: 'store_changed' });
  if (settings.witness) await confirmStore(later.composed.journal, settings.witness);
  expect(await later.call(place, order)).toMatchObject({ outcome: 'refused', rule: 'approval_missing' });
  expect(attacked.simulator.log.filter(({ endpoint }) => endpoint === 'placeLimitOrder')).toEqual([]);
});

test('demo places orders with an emptied store, and says so', async () => {
  const made = await setup();
  expect((await made.call(place, pending)).body).toMatchObject({ outcome: 'placed' });
  await made.composed.close();
  empty(made.stateDir);
  const config = createTestConfig(made.stateDir, { environment: 'demo' });
  const warned: string[] = [];
  warnOfMissingStore(config, { warn: (line) => warned.push(line) });
  const later = await setup({ beside: made });
  await warnOfStoreChange(later.composed, { warn: (line) => warned.push(line) });
  expect(warned).toEqual(Array(2).fill(expect.stringContaining('brokerage-mcp resume')));
  expect((await later.call('get_server_status')).body).toMatchObject({
    store: { state: 'changed' },
    trading: { state: 'on' },
  });
  // The emptied store does not know the requests of the last minute.
  await made.clock.advance(60_000);
  expect((await later.call(place, { ...pending, limitPrice: 9.9 })).body).toMatchObject({ outcome: 'placed' });
});

test('a start without a store, or with one that is whole, says nothing', async () => {
  const stateDir = tempFolder();
  const warned: string[] = [];
  const look = () =>
    warnOfMissingStore(createTestConfig(stateDir, { environment: 'live' }), { warn: (line) => warned.push(line) });
  look();
  const made = await setup({ config: { environment: 'demo' } });
  await made.call(place, pending);
  warnOfMissingStore(createTestConfig(made.stateDir, { environment: 'demo' }), {
    warn: (line) => warned.push(line),
  });
  expect(warned).toEqual([]);
});

test('a mark that cannot be written does not stop an order', async () => {
  const made = await setup();
  writeFileSync(join(made.stateDir, 'stores'), 'not a folder');
  onTestFinished(() => rmSync(join(made.stateDir, 'stores')));
  expect((await made.call(place, pending)).body).toMatchObject({ outcome: 'placed' });
});

test('a state folder that cannot be used does not stop the start; the first call reports it', () => {
  const file = join(tempFolder(), 'a-file');
  writeFileSync(file, '');
  const warned: string[] = [];
  warnOfMissingStore(createTestConfig(file, { environment: 'live' }), { warn: (line) => warned.push(line) });
  expect(warned).toEqual([]);
});
