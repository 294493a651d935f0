/** A write that is not an order: journalled, sent once, and answered as an outcome, because its answer can be lost. */
import type { CallRequest } from '../broker/types.ts';
import type { Endpoint } from '../catalogue/index.ts';
import type { WriteOrder } from '../orders/write-journal.ts';
import type { Reply, ToolCall } from './tool.ts';

export async function writeOnce(
  endpoint: Endpoint,
  request: CallRequest,
  call: ToolCall,
  options: Pick<WriteOrder, 'whenUnknown' | 'changesAccount' | 'lookUp'>,
): Promise<Reply> {
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
