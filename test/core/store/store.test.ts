/**
 * What the store promises in either database: complete changes, in turns, that survive kills. All processes are real.
 */
// @module-tag process

import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from '../../../scripts/bundle-script.mjs';
import { createRecords } from '../../../src/core/store/engine.ts';
import { errorOf } from '../../support/error-of.ts';
import { databases } from './support.ts';

let loop: Awaited<ReturnType<typeof bundleScript>>;
beforeAll(async () => {
  loop = await bundleScript('test/core/store/write-loop.ts');
});
afterAll(() => loop.remove());

describe.each(databases)('a store in %s', (_, make) => {
  test('four concurrent processes lose no change', async () => {
    const { address, open } = await make();
    const processes = Array.from({ length: 4 }, (_, index) => startLoop(address, 30, `p${index}`));
    await Promise.all(processes.map(ended));
    const records = createRecords(open());
    expect(await records.read('n', 'left')).toBe(120);
    expect(await records.read('n', 'right')).toBe(120);
  });

  test('a process that is killed during writes leaves complete changes, and all that it had reported', async () => {
    const { address, open } = await make();
    const child = startLoop(address, 100_000, 'killed');
    let told = 0;
    const isFarEnough = new Promise<void>((resolve) =>
      child.stdout?.on('data', (text: Buffer) => {
        const numbers = text.toString().trim().split('\n').map(Number);
        told = Math.max(told, ...numbers.filter((n) => n > 0));
        if (told > 20) resolve();
      }),
    );
    await isFarEnough;
    child.kill('SIGKILL');
    await ended(child);
    const records = createRecords(open());
    const [left, right] = [await records.read<number>('n', 'left'), await records.read<number>('n', 'right')];
    expect(left).toBe(right);
    expect(await records.read<number>('own', 'killed')).toBeGreaterThanOrEqual(told);
  });

  test('a store that is held for too long is reported as unusable', async () => {
    const { open, hold } = await make();
    const engine = open();
    await engine.write(async () => undefined);
    const release = await hold();
    const error = await errorOf(engine.write(async () => undefined));
    expect(error).toMatchObject({ code: 'store_unavailable', cause: { store: 'held' } });
    // Reading does not wait for writers.
    await expect(engine.read(async () => 'read')).resolves.toBe('read');
    await release();
    await expect(engine.write(async () => 'again')).resolves.toBe('again');
  });

  test('the writes of a failed transaction are gone', async () => {
    const engine = (await make()).open();
    const failing = engine.write(async (db) => {
      await db.run("INSERT INTO records VALUES ('half', 'b', '1')");
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    const rows = await engine.read((db) => db.all<object>("SELECT * FROM records WHERE space = 'half'"));
    expect(rows).toEqual([]);
  });
});

function startLoop(path: string, count: number, name: string): ChildProcess {
  return spawn(process.execPath, [loop.outfile, path, String(count), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.stdout?.resume();
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
  });
