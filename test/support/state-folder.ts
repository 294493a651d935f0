/** Where the servers of tests keep their state. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { createSqliteEngine } from '../../src/core/store/sqlite/sqlite-engine.ts';
import { storeFile } from '../../src/core/store/store-location.ts';

export const makeStateFolder = (prefix: string): Promise<string> => mkdtemp(join(tmpdir(), prefix));

let empty: Promise<Buffer> | undefined;

async function makeEmptyStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-empty-'));
  try {
    const path = storeFile(folder);
    const engine = createSqliteEngine({ path, clock: systemClock, random: Math.random });
    await engine.read(async () => undefined);
    await engine.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The state folder of a server that has run and kept nothing: to create the tables takes a tenth of a small test. */
export async function makeUsedStateFolder(prefix: string): Promise<string> {
  empty ??= makeEmptyStore();
  const [folder, store] = await Promise.all([makeStateFolder(prefix), empty]);
  writeFileSync(storeFile(folder), store, { mode: 0o600 });
  return folder;
}
