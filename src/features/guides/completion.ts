/** Completes the first letters of an argument that a person types. */

import { log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { searchIn } from '../search/search.ts';
import type { SearchDeps } from '../search/search-tool.ts';
import type { ResourceText } from './resources/read-resource.ts';

/** Clients show at most a hundred completions. */
const maxTickers = 100;
const timeoutMs = 3_000;

/** The arguments that can be completed. */
export type CompletableArgument = 'ticker' | 'taxYear' | 'year';

/** Returns the values of an argument that begin with what the user has typed. */
export async function complete(
  what: CompletableArgument,
  value: string,
  { directory, clock }: SearchDeps,
): Promise<string[]> {
  const now = clock.now();
  if (what === 'ticker') return completeTicker(value, directory, now);
  const all = what === 'taxYear' ? taxYears(now) : years(now);
  return all.filter((year) => year.startsWith(value));
}

/**
 * Returns tickers with this prefix first, then the search results; none when the list of instruments cannot be read in
 * time.
 */
async function completeTicker(value: string, directory: SearchDeps['directory'], now: number): Promise<string[]> {
  if (value.trim() === '') return [];
  try {
    const { instruments } = await directory.instruments({ priority: 'read', deadlineAt: now + timeoutMs });
    const { matches } = searchIn(instruments).search(value, { limit: maxTickers });
    const found = matches.flatMap(({ instrument }) => instrument.ticker ?? []);
    const begins = (ticker: string) => ticker.toLowerCase().startsWith(value.toLowerCase());
    return [...found.filter(begins), ...found.filter((ticker) => !begins(ticker))];
  } catch (error) {
    log.fault('complete an argument', error);
    return [];
  }
}

/** UK tax years, the current one first. */
function taxYears(nowMs: number): string[] {
  const now = new Date(nowMs);
  const isBeforeApril6 = now.getUTCMonth() < 3 || (now.getUTCMonth() === 3 && now.getUTCDate() < 6);
  const first = now.getUTCFullYear() - (isBeforeApril6 ? 1 : 0);
  return lastYears(first).map((year) => `${year}/${String(year + 1).slice(2)}`);
}

const years = (nowMs: number): string[] => lastYears(new Date(nowMs).getUTCFullYear()).map(String);

const lastYears = (first: number): number[] => Array.from({ length: 10 }, (_, index) => first - index);

/** What the prompts, resources and skills of a server need. */
export interface GuideDeps {
  readonly config: Pick<Config, 'toolsets'>;
  /** The names of the accounts, where there are several. */
  readonly accounts?: readonly string[];
  /** Returns undefined when the resource does not exist. */
  readonly readResource: (uri: string) => Promise<ResourceText | undefined>;
  readonly complete: (what: CompletableArgument, value: string) => Promise<string[]>;
  /** Returns the ids of downloaded reports. */
  readonly listExports: () => Promise<readonly string[]>;
  /** Calls `onEvent` whenever an event of an account was found, until the signal aborts. */
  readonly followEvents: (onEvent: () => void, signal: AbortSignal) => Promise<void>;
}
