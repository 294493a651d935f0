/** What goes on by itself while a server runs: expiries, approved orders, the search for lost ones. */
import type { Clock } from '../clock.ts';

const busyMs = 500;
const idleMs = 5_000;

export interface BackgroundLoop {
  /** Looks at once instead of in a while. */
  wake(): void;
  /** Resolves when the last look is over. */
  stop(): Promise<void>;
}

/** Looks again and again: often while something is open, else now and then, because another process may open something. */
export function startBackgroundLoop(tick: () => Promise<number>, clock: Clock): BackgroundLoop {
  let stopped = false;
  let woken = false;
  let waiting = new AbortController();
  const run = async () => {
    while (!stopped) {
      // A store that cannot be read now may be readable in a while.
      const open = await tick().catch(() => 0);
      if (stopped) return;
      waiting = new AbortController();
      // Woken while it looked: what it was woken for may have come after the look.
      if (woken) waiting.abort();
      woken = false;
      await clock.sleep(open > 0 ? busyMs : idleMs, waiting.signal).catch(() => undefined);
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
