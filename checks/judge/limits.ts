/** The limits of an environment where the owner set nothing. */
import type { Limits, Setup } from './record.ts';

const paper: Omit<Limits, 'tickers'> = {
  maxOrderValue: '10000',
  maxDayValue: '100000',
  maxOrderQuantity: '10000',
  ordersPerMinute: 30,
  ordersPerHour: 300,
  ordersPerDay: 1_000,
};

const live: Omit<Limits, 'tickers'> = {
  maxOrderValue: '1000',
  maxDayValue: '5000',
  maxOrderQuantity: '1000',
  ordersPerMinute: 5,
  ordersPerHour: 20,
  ordersPerDay: 50,
};

export const limitsOf = ({
  environment,
  limits,
}: Setup): Omit<Limits, 'tickers'> & Partial<Pick<Limits, 'tickers'>> => ({
  ...(environment === 'live' ? live : paper),
  ...limits,
});
