/** Rows name their instrument by a ticker of their own, by a nested instrument, or by both. */
export const getTicker = (
  row:
    | {
        readonly ticker?: string | undefined;
        readonly instrument?: { readonly ticker?: string | undefined } | undefined;
      }
    | undefined,
): string | undefined => row?.ticker ?? row?.instrument?.ticker;
