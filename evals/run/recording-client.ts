/** What a model can do: call tools. Records every call, and what was true when its result came. */
import type { GroundTruth } from '../../src/simulator/index.ts';
import type { Called, Hands, ListedTool } from '../types.ts';
import type { Site } from './environment.ts';

export interface Moment {
  readonly at: number;
  readonly books: GroundTruth;
  readonly second: GroundTruth | undefined;
}

export interface WatchedHands extends Hands {
  readonly called: readonly Called[];
  /** The books at the beginning, and whenever a price may have changed since. */
  readonly moments: readonly Moment[];
}

/** Prices and rates change at full minutes. */
const minuteOf = (at: number) => Math.floor(at / 60_000);

export function watchedHands({ servers, readBooks, run, now, recording }: Site): WatchedHands {
  const called: Called[] = [];
  const moments: Moment[] = [{ at: now(), ...readBooks() }];
  const noteMoment = () => {
    const at = now();
    if (minuteOf(at) !== minuteOf(moments.at(-1)?.at ?? 0)) moments.push({ at, ...readBooks() });
  };
  return {
    called,
    moments,
    now,
    run: async (command) => {
      recording.command(command);
      const result = await run(command);
      noteMoment();
      return result;
    },
    // The client's type names what it uses itself; the list contains everything.
    listTools: async () => ((await servers[0]?.listTools()) ?? []) as readonly ListedTool[],
    call: async (tool, args, server = 0) => {
      const chosen = servers[server];
      if (!chosen) throw new Error(`there is no server ${server}`);
      const recorded = recording.call(tool, args);
      const answer = await chosen
        .call(tool, { ...args })
        // The protocol refuses a tool that this server does not have, not a tool.
        .catch((error: Error) => ({ isError: true, body: { code: 'protocol', message: error.message } }));
      const one = { tool, args, ...answer };
      recorded.answered(one.body);
      called.push(one);
      noteMoment();
      return one;
    },
  };
}
