/** Notices at a start that the store's file is gone, without opening it. */

import { statSync } from 'node:fs';
import { isSystemError } from '../core/errors.ts';
import { orElse } from '../core/log.ts';
import { describeStoreChange, findStoreChange, storeChangeStep } from '../core/orders/halt/store-change.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import { createStoreWitness, resolveStoreLocation, storeFile } from '../core/store/store-location.ts';
import type { App } from './composition-root.ts';

/** Warns when the file of a store that was used before is missing or empty. */
export function warnOfMissingStore(config: Config, { warn }: Pick<ProcessContext, 'warn'>): void {
  const place = resolveStoreLocation(config);
  if (config.environment === 'sandbox' || 'stateUrl' in place) return;
  const path = storeFile(place.stateDir);
  if (getSize(path) !== 0) return;
  if (createStoreWitness(config.configDir, place).read() === undefined) return;
  warn(`brokerage-mcp: ${path} is missing or empty. ${describeStoreChange('new')} ${storeChangeStep}`);
}

/** The size of a file (bytes), 0 when it does not exist; undefined when its folder cannot be used. */
function getSize(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    // The first call reports what is wrong with the folder.
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

// Says on standard error that the store is not the one that was used before.

/** Reads the store. Says nothing when it cannot be read, which each call reports. */
export async function warnOfStoreChange(
  { journal, settings }: App,
  { warn }: Pick<ProcessContext, 'warn'>,
): Promise<void> {
  const change = await journal.read((tx) => findStoreChange(tx, settings.witness)).catch(orElse('the app', undefined));
  if (change) warn(`brokerage-mcp: ${describeStoreChange(change)} ${storeChangeStep}`);
}
