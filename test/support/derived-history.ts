/** A history for tests that answer with rows: what is derived from them is computed each time. */
import type { History, HistoryQuery, HistoryResult } from '../../src/features/history/history-port.ts';

/** `read` returns all rows of the kind, oldest first. */
export const historyOfRows = (read: (question: HistoryQuery) => Promise<unknown>): History =>
  ({
    derive: async (question, { start }) => {
      const { rows, ...rest } = (await read(question)) as HistoryResult<never>;
      const reader = start();
      reader.add(rows.toReversed());
      return { value: reader.finish().value, version: '1', ...rest };
    },
    keep: (_slot, _version, make) => make().value,
  }) as Partial<History> as History;
