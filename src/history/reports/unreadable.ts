import { BrokerageError } from '../../errors.ts';

export const invalidReport = (message: string) =>
  new BrokerageError('unexpected_answer', message, 'Request the report again.');
