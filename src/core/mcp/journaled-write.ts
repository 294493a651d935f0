/**
 * Runs a write that is not an order: it is written to the journal, sent once, and reported as an outcome, because the
 * response can be lost.
 */
import type { CallRequest } from '../broker/types.ts';
import type { Endpoint } from '../endpoints/index.ts';
import type { WriteRequest } from '../orders/write-journal.ts';
import type { ToolCall, ToolReply } from './tool.ts';

export async function sendJournaledWrite(
  endpoint: Endpoint,
  request: CallRequest,
  call: ToolCall,
  options: Pick<WriteRequest, 'whenUnknown' | 'changesAccount' | 'lookUp'>,
): Promise<ToolReply> {
  const context = call.context();
  const { answeredAt, ...outcome } = await call.writes.run({
    endpoint,
    request,
    context,
    send: () => call.broker.call(endpoint, request, context),
    ...options,
  });
  return { asOf: answeredAt, fields: { ...outcome } };
}
