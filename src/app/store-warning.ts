/** Says on standard error that the store is not the one that was used before. */
import { orElse } from '../core/log.ts';
import { describeStoreChange, findStoreChange, storeChangeStep } from '../core/orders/halt/store-change.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { App } from './composition-root.ts';

/** Reads the store. Says nothing when it cannot be read, which each call reports. */
export async function warnOfStoreChange(
  { journal, settings }: App,
  { warn }: Pick<ProcessContext, 'warn'>,
): Promise<void> {
  const change = await journal.read((tx) => findStoreChange(tx, settings.witness)).catch(orElse('the app', undefined));
  if (change) warn(`brokerage-mcp: ${describeStoreChange(change)} ${storeChangeStep}`);
}
