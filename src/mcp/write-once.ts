/** A write that is not an order: sent once, and answered as an outcome, because its answer can be lost. */
import type { CallRequest } from '../broker/types.ts';
import type { Endpoint } from '../catalogue/index.ts';
import { BrokerageError } from '../errors.ts';
import type { Reply, ToolCall } from './tool.ts';

export async function writeOnce(
  endpoint: Endpoint,
  request: CallRequest,
  call: ToolCall,
  whenUnknown: string,
): Promise<Reply> {
  try {
    const { data, answeredAt } = await call.broker.call(endpoint, request, call.context());
    return {
      asOf: answeredAt,
      fields: { outcome: 'done', message: 'The broker carried it out.', result: data ?? null },
    };
  } catch (error) {
    if (!(error instanceof BrokerageError)) throw error;
    if (error.facts.mayHaveHappened || error.code === 'upstream_error' || error.code === 'unexpected_answer')
      return {
        fields: {
          outcome: 'unknown',
          message: 'The answer was lost: it may have been carried out.',
          next: whenUnknown,
        },
      };
    if (error.code !== 'rejected' && error.code !== 'not_found' && error.code !== 'forbidden') throw error;
    const { message, next, facts } = error;
    return { fields: { outcome: 'rejected', message, next, brokerCode: facts.brokerCode } };
  }
}
