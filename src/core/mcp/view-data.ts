/** What only a picture needs. It travels beside the result, in `_meta`: the model does not read it. */

export interface ViewData {
  /** The names of instruments by their tickers. */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** The value of the account by day (YYYY-MM-DD), oldest first, and what was put in until then where it is known. */
  readonly values?: readonly (readonly [day: string, value: string, putIn?: string])[] | undefined;
  /** The first and the last day of the range (YYYY-MM-DD); undefined for an open end. */
  readonly range?: { readonly since: string | undefined; readonly until: string | undefined } | undefined;
  /** What each draft is worth, by its id: sums by side and currency. */
  readonly draftValues?: Readonly<Record<string, object>> | undefined;
  /** Of each draft that waits for a person, by its id: the address of its page where one is known, and until when. */
  readonly draftApprovals?: Readonly<Record<string, object>> | undefined;
  /** Why each recurring plan made no draft on its last day, by its id: a code and a sentence. */
  readonly planProblems?: Readonly<Record<string, object>> | undefined;
  /** What a written document is, and what the picture draws of it. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
}

/** The key in `_meta` of a result. A host may drop it, and a picture is then drawn without. */
export const viewDataKey = 'brokerage-mcp/view';
