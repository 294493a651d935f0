/** When a server loads what its calls need. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLazyToolRuntime, recoveryDelayMs } from '../../src/app/lazy-tool-runtime.ts';
import { readConfig } from '../../src/core/settings/config.ts';
import { storeFile } from '../../src/core/store/store-location.ts';
import { testTerminal } from '../support/command.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { makeStateFolder } from '../support/state-folder.ts';

async function prepare({ hasStore, readOnly = false }: { hasStore: boolean; readOnly?: boolean }) {
  const stateDir = await makeStateFolder('lazy-runtime-');
  if (hasStore) {
    mkdirSync(dirname(storeFile(stateDir)), { recursive: true });
    writeFileSync(storeFile(stateDir), '');
  }
  const terminal = testTerminal({
    env: { BROKER_STATE_DIR: stateDir, ...(readOnly ? { BROKER_READ_ONLY: 'true' } : {}) },
  });
  const clock = createManualClock({ startAt: 0 });
  const runtime = createLazyToolRuntime([readConfig({}, terminal)], terminal, {}, clock);
  onTestFinished(async () => (await runtime.started())?.close());
  return { ...runtime, clock };
}

test('orders that may be left are looked for only after the client had time to list the tools', async () => {
  const { parts, started, clock } = await prepare({ hasStore: true });
  parts.onClient();
  parts.onClient();
  await clock.advance(recoveryDelayMs - 1);
  expect(started()).toBeUndefined();
  await clock.advance(1);
  expect(started()).toBeInstanceOf(Promise);
});

test.each([
  ['a first start', { hasStore: false }],
  ['a read-only server', { hasStore: true, readOnly: true }],
])('%s loads nothing before the first call', async (_, state) => {
  const { parts, started, clock } = await prepare(state);
  parts.onClient();
  await clock.advance(10 * recoveryDelayMs);
  expect(started()).toBeUndefined();
});

test('a call does not wait for that time', async () => {
  const { parts, started } = await prepare({ hasStore: true });
  parts.onClient();
  const { signal } = new AbortController();
  expect((await parts.run('get_server_status', {}, { signal })).isError).toBe(false);
  expect(started()).toBeInstanceOf(Promise);
});
