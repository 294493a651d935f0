/** What a file says beside its records. */
export interface FileContext {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Of the account. */
  readonly currency: string;
  /** YYYY-MM-DD, in the time zone of the account. */
  readonly toDate: (at: number) => string;
  /** hh:mm:ss, in the time zone of the account. */
  readonly toTime: (at: number) => string;
}
