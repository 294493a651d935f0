import { BrokerageError } from '../../errors.ts';

export const unreadable = (message: string) =>
  new BrokerageError('unexpected_answer', message, 'Request the report anew.');
