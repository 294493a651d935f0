/** Opens the store of a process. */

import { randomBytes } from 'node:crypto';
import { mergeLimits } from '../core/broker/rate-limit/limit-state.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { ProcessRegistry } from '../core/lease.ts';
import type { Intent } from '../core/orders/intent/intent.ts';
import type { WriteIntent } from '../core/orders/intent/journal-port.ts';
import type { Config } from '../core/settings/config.ts';
import { openStore } from '../core/store/open-store.ts';
import { createStoreWitness, resolveStoreLocation } from '../core/store/store-location.ts';
import type { Draft, DraftVersion } from '../features/drafts/book/draft.ts';
import type { Submission, SubmissionLeg } from '../features/drafts/submission/submission.ts';
import type { DailyValue } from '../features/history/daily-value.ts';
import type { MirrorState } from '../features/history/mirror-state.ts';

/** The store of the configured environment, and who else may be using it. */
export function openAppStore(
  config: Config,
  options: { readonly clock?: Clock; readonly processes?: ProcessRegistry },
) {
  const registry = options.processes ?? { self: randomBytes(8).toString('hex'), isAlive: () => true };
  const place = resolveStoreLocation(config);
  const store = openStore<Intent, WriteIntent, MirrorState, DailyValue, Draft, DraftVersion, Submission, SubmissionLeg>(
    {
      place,
      clock: options.clock,
      realClock: systemClock,
      random: Math.random,
      self: registry.self,
      merge: {
        limit: (stored, own) => (stored ? mergeLimits(stored as never, own as never) : own),
        // Another process may have written in the meantime, which makes earlier reads stale for all processes.
        'read-epoch': (stored, own) => Math.max(Number(stored ?? 0), Number(own)) + 1,
      },
    },
  );
  const processes: ProcessRegistry = { self: registry.self, isAlive: store.isAlive ?? registry.isAlive };
  const witness = config.environment === 'sandbox' ? undefined : createStoreWitness(config.configDir, place);
  /** What this process does beside its calls. */
  const activity = { isWatching: false };
  return { store, processes, witness, activity, isShared: 'stateUrl' in place };
}
export type OpenedStore = ReturnType<typeof openAppStore>;
