/** The account's value of each day, noted whenever the summary is read: the service keeps no such history. */
import type { AccountSummary } from '../catalogue/index.ts';

/** One row per UTC day; the last value of the day stays. */
export interface DailyValue {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** When the service said it (ms). */
  readonly at: number;
  readonly totalValue: string;
  readonly cash?: string;
  readonly currency: string;
}

export interface DailyValues {
  keep(account: string, value: DailyValue): Promise<void>;
  list(account: string): Promise<readonly DailyValue[]>;
}

/** Within a day it is enough to note it once in this time. */
const everyMs = 15 * 60_000;

export function createDailyValueRecorder(values: DailyValues) {
  let last: { readonly account: string; readonly at: number } | undefined;
  return {
    /** Never throws: a note that cannot be kept keeps nobody from reading. */
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
        .catch(() => undefined);
    },
    /** Oldest first; none when the store cannot be read. */
    list: (account: string): Promise<readonly DailyValue[]> => values.list(account).catch(() => []),
  };
}

const toIsoDate = (at: number): string => new Date(at).toISOString().slice(0, 10);
