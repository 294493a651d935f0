/** The ticker of a row, which has it directly, in a nested instrument, or both; undefined if it has neither. */
export const getTicker = (
  row:
    | {
        readonly ticker?: string | undefined;
        readonly instrument?: { readonly ticker?: string | undefined } | undefined;
      }
    | undefined,
): string | undefined => row?.ticker ?? row?.instrument?.ticker;
