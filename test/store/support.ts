/** A database in a folder of its own, which is gone after the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { Engine } from '../../src/store/engine.ts';
import { createSqliteEngine } from '../../src/store/sqlite/engine.ts';

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openEngine(path = join(tempFolder(), 'state', 'store.sqlite')): Engine & { readonly path: string } {
  const engine = createSqliteEngine({ path, clock: systemClock, random: () => 0.5 });
  onTestFinished(() => engine.close());
  return { ...engine, path };
}
