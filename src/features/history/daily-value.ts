/** Records the account's value once a day, whenever the summary is read, because the service keeps no such history. */
import type { AccountSummary } from '../../core/endpoints/index.ts';
import { orElse } from '../../core/log.ts';

/** One row per UTC day, with the last recorded value of that day. */
export interface DailyValue {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** When the service reported the value (ms). */
  readonly at: number;
  readonly totalValue: string;
  readonly cash?: string;
  readonly currency: string;
}

export interface DailyValues {
  keep(account: string, value: DailyValue): Promise<void>;
  list(account: string): Promise<readonly DailyValue[]>;
}

/** Within a day, a new value is recorded at most once in this time. */
const everyMs = 15 * 60_000;

/** Records and lists daily values. Neither function throws when the store cannot be used. */
export function createDailyValueRecorder(values: DailyValues) {
  let last: { readonly account: string; readonly at: number } | undefined;
  return {
    /** Never throws: a value that cannot be stored must not fail the read. */
    note: async (
      account: string,
      { totalValue, currency, cash }: AccountSummary,
      answeredAt: number,
    ): Promise<void> => {
      if (totalValue === undefined || currency === undefined) return;
      const isSame =
        last?.account === account && answeredAt < last.at + everyMs && toIsoDate(answeredAt) === toIsoDate(last.at);
      if (isSame) return;
      last = { account, at: answeredAt };
      const value = { day: toIsoDate(answeredAt), at: answeredAt, totalValue, currency };
      const available = cash?.availableToTrade;
      await values
        .keep(account, available === undefined ? value : { ...value, cash: available })
        .catch(orElse('history', undefined));
    },
    /** Returns the values oldest first; an empty list when the store cannot be read. */
    list: (account: string): Promise<readonly DailyValue[]> => values.list(account).catch(orElse('history', [])),
  };
}

const toIsoDate = (at: number): string => new Date(at).toISOString().slice(0, 10);
