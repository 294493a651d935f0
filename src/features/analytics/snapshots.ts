/** The account's value on a day, stored by this program, because the service keeps no such history. */
export interface DailySnapshot {
  /** `YYYY-MM-DD`, the UTC day. */
  readonly day: string;
  /** When the service reported it (ms since 1970, UTC). */
  readonly at: number;
  /** Exact decimal, in `currency`. */
  readonly totalValue: string;
  readonly cash?: string;
  /** The account's currency at that time. */
  readonly currency: string;
}
