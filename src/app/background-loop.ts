/** Runs background work while a server runs: expiries, approved orders, the search for lost ones. */
import type { Clock } from '../core/clock.ts';
import { ignoreAbort } from '../core/errors.ts';
import { orElse } from '../core/log.ts';

const busyMs = 500;
const idleMs = 5_000;

export interface BackgroundLoop {
  /** Runs the next round immediately. */
  wake(): void;
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
}

/**
 * Repeats `tick`, which returns how many intents are open: every 500 ms while some are, otherwise every 5 s,
 * because another process may create one.
 */
export function startBackgroundLoop(tick: () => Promise<number>, clock: Clock): BackgroundLoop {
  let stopped = false;
  let woken = false;
  let waiting = new AbortController();
  const run = async () => {
    while (!stopped) {
      // After a store error, the next round tries again.
      const open = await tick().catch(orElse('the background work', 0));
      if (stopped) return;
      waiting = new AbortController();
      // `wake` was called during this round, so its reason may not be covered: start the next round immediately.
      if (woken) waiting.abort();
      woken = false;
      await clock.sleep(open > 0 ? busyMs : idleMs, waiting.signal).catch(ignoreAbort);
    }
  };
  const running = run();
  return {
    wake: () => {
      woken = true;
      waiting.abort();
    },
    stop: async () => {
      stopped = true;
      waiting.abort();
      await running;
    },
  };
}
