/** Requests the reports of an import through the journal of writes, which sends no request twice. */
import type { Broker, CallContext } from '../core/broker/types.ts';
import { endpoints } from '../core/endpoints/index.ts';
import { hasCode } from '../core/errors.ts';
import { createReportLookUp, type WriteJournal } from '../core/orders/write-journal.ts';
import type { RequestOutcome } from '../features/reports/import/collect-reports.ts';

const everything = { includeDividends: true, includeInterest: true, includeOrders: true, includeTransactions: true };

/** Returns a function that requests a report of everything in a range (ms). It throws when nothing was requested. */
export const createReportRequester =
  (broker: Broker, writes: WriteJournal) =>
  async (range: { readonly from: number; readonly to: number }, context: CallContext): Promise<RequestOutcome> => {
    const body = {
      timeFrom: new Date(range.from).toISOString(),
      timeTo: new Date(range.to).toISOString(),
      dataIncluded: everything,
    };
    let isForbidden = false;
    const { outcome, result } = await writes.run({
      endpoint: endpoints.requestReport,
      request: { body },
      context,
      send: () =>
        broker.call(endpoints.requestReport, { body }, context).catch((error: unknown) => {
          isForbidden = hasCode(error, 'forbidden');
          throw error;
        }),
      changesAccount: false,
      whenUnknown: '',
      lookUp: createReportLookUp(body, broker),
    });
    const { reportId } = (result ?? {}) as { reportId?: string };
    if (outcome === 'done' && reportId !== undefined) return { kind: 'requested', reportId };
    if (isForbidden) return { kind: 'forbidden' };
    return { kind: outcome === 'unknown' || outcome === 'done' ? 'unknown' : 'rejected' };
  };
