/** Divides long resources into pages, because hosts cut a long text in the middle, which a model cannot notice. */

/** The fields that begin a page, when more follow. `rows` names what the page has. */
export const continuation = (nextUri: string | undefined, rows: string): { note?: string; nextUri?: string } =>
  nextUri === undefined
    ? {}
    : {
        note: `This page has ${rows}, newest first. Read nextUri for the next page; stop when a page has no nextUri.`,
        nextUri,
      };
