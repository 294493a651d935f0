/** Calls that can be told to end: what still waits for something is answered, instead of being cut off with the process. */
import type { CallOptions, ToolResult } from '../mcp/run-tool.ts';

type Run = (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;

export interface CallCanceller {
  /** The same calls, each of which ends with its client too. */
  withCancellation(run: Run): Run;
  /** What has not been sent is not sent any more, and the answer says so; an order that was committed goes on. */
  endAll(): void;
}

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
