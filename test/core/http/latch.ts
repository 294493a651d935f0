/** A tool call that waits until it is released. */
import type { McpServerDeps } from '../../../src/core/mcp/mcp-server.ts';

export interface Latch {
  readonly run: McpServerDeps['run'];
  /** Resolves when this number of calls wait. */
  entered(count: number): Promise<void>;
  open(): void;
  /** The signals of the calls, in the order in which they came. */
  readonly signals: readonly AbortSignal[];
}

export function createLatch(): Latch {
  const signals: AbortSignal[] = [];
  const watchers = new Set<() => void>();
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    signals,
    open,
    run: async (_name, _args, { signal }) => {
      signals.push(signal);
      for (const look of watchers) look();
      await opened;
      return { isError: false, text: '{}', body: {} as never };
    },
    entered: (count) =>
      new Promise((resolve) => {
        const look = () => signals.length >= count && resolve();
        watchers.add(look);
        look();
      }),
  };
}
