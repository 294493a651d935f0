/** Aborts running calls at shutdown, so that calls that wait return a result instead of ending with the process. */
import type { RunTool } from '../core/mcp/run-tool.ts';

export interface CallCanceller {
  /** Wraps `run`: each call is aborted with its client's signal, and by `endAll`. */
  withCancellation(run: RunTool): RunTool;
  /**
   * Aborts all running calls. What was not sent stays unsent, and the result says so; a committed order is
   * finished.
   */
  endAll(): void;
}

/** Creates a canceller for the calls of one process. */
export function createCallCanceller(): CallCanceller {
  const running = new Set<AbortController>();
  return {
    withCancellation: (run) => async (name, args, options) => {
      const controller = new AbortController();
      const end = () => controller.abort();
      options.signal.addEventListener('abort', end, { once: true });
      if (options.signal.aborted) end();
      running.add(controller);
      try {
        return await run(name, args, { ...options, signal: controller.signal });
      } finally {
        running.delete(controller);
        options.signal.removeEventListener('abort', end);
      }
    },
    endAll: () => {
      for (const ending of running) ending.abort();
    },
  };
}
