/** Calls that can be told to end: what still waits for something is answered, instead of being cut off with the process. */
import type { CallOptions, ToolResult } from '../mcp/run-tool.ts';

type Run = (name: string, args: unknown, options: CallOptions) => Promise<ToolResult>;

export interface CallCanceller {
  /** The same calls, each of which ends with its client too. */
  endable(run: Run): Run;
  /** What has not been sent is not sent any more, and the answer says so; an order that was committed goes on. */
  endAll(): void;
}

export function createCallEnder(): CallCanceller {
  const running = new Set<AbortController>();
  return {
    endable: (run) => async (name, args, options) => {
      const ending = new AbortController();
      const end = () => ending.abort();
      options.signal.addEventListener('abort', end, { once: true });
      if (options.signal.aborted) end();
      running.add(ending);
      try {
        return await run(name, args, { ...options, signal: ending.signal });
      } finally {
        running.delete(ending);
        options.signal.removeEventListener('abort', end);
      }
    },
    endAll: () => {
      for (const ending of running) ending.abort();
    },
  };
}
