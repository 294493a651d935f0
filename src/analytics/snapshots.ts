/** What the account was worth on a day, as this program itself has noted it: the service keeps no such history. */
export interface DailySnapshot {
  /** `YYYY-MM-DD`, the UTC day. */
  readonly day: string;
  /** When the service said it; milliseconds since 1970, UTC. */
  readonly at: number;
  /** Exact decimal, in `currency`. */
  readonly totalValue: string;
  readonly cash?: string;
  /** The account's currency at that time. */
  readonly currency: string;
}
