/** Whether an order can be sent outside regular hours, as far as the list of instruments says. */
import type { TradableInstrument } from '../endpoints/index.ts';
import { BrokerageError } from '../errors.ts';
import type { OrderRequest } from '../orders/intent/order-request.ts';

/** False where the service does not say whether the instrument has extended hours: then it decides. */
export const lacksExtendedHours = (
  order: Pick<OrderRequest, 'extendedHours'>,
  instrument: Pick<TradableInstrument, 'extendedHours'>,
): boolean => order.extendedHours === true && instrument.extendedHours === false;

/** Throws `invalid_argument` for an order outside regular hours of an instrument that has no others. */
export function requireExtendedHours(
  order: Pick<OrderRequest, 'extendedHours' | 'ticker'>,
  instrument: Pick<TradableInstrument, 'extendedHours'>,
): void {
  if (!lacksExtendedHours(order, instrument)) return;
  throw new BrokerageError(
    'invalid_argument',
    `${order.ticker} does not trade outside regular hours.`,
    'Omit extendedHours.',
  );
}
