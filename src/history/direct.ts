/** The history straight from the service, page by page. */
import type { Broker } from '../broker/types.ts';
import type { History } from './history.ts';
import { walkHistory } from './walk.ts';

export const createDirectHistory = (broker: Broker): History => ({
  read: async (question, { context }) => {
    const result = await walkHistory(broker, question, { enough: Number.POSITIVE_INFINITY, context });
    return {
      rows: result.rows.map(({ row }) => row).reverse(),
      coverage: {
        complete: result.complete,
        rows: result.rows.length,
        ...(result.reason ? { missing: [result.reason] } : {}),
      },
      asOf: result.asOf ?? 0,
    };
  },
});
