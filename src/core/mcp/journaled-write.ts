/**
 * Runs a write that is not an order: it is written to the journal, sent once, and reported as an outcome, because the
 * response can be lost.
 */
import type { Broker, CallRequest } from '../broker/types.ts';
import type { Endpoint } from '../endpoints/index.ts';
import type { WriteJournal, WriteRequest } from '../orders/write-journal.ts';
import type { ToolCall, ToolReply } from './tool.ts';

/** What sends a write, and the journal that it is written to first. */
export async function sendJournaledWrite(
  endpoint: Endpoint,
  request: CallRequest,
  call: ToolCall,
  { broker, writes }: { readonly broker: Broker; readonly writes: WriteJournal },
  options: Pick<WriteRequest, 'whenUnknown' | 'changesAccount' | 'lookUp'>,
): Promise<ToolReply> {
  const context = call.context();
  const { answeredAt, ...outcome } = await writes.run({
    endpoint,
    request,
    context,
    send: () => broker.call(endpoint, request, context),
    ...options,
  });
  return { asOf: answeredAt, fields: { ...outcome } };
}
