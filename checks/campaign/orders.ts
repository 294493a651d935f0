/** The orders that are placed: every type and side, near the last price, each with a quantity of its own. */
import { price, tickers } from './account.ts';
import type { Random } from './random.ts';

export interface PlaceCall {
  readonly tool: string;
  readonly quantity: string;
  readonly args: {
    readonly ticker: string;
    readonly side: string;
    readonly quantity: string;
    readonly [name: string]: unknown;
  };
}

const tools = ['place_limit_order', 'place_market_order', 'place_stop_order', 'place_stop_limit_order'] as const;

export function anyOrder(
  random: Random,
  quantity: string,
  ticker: string = random.pick(tickers),
  side: 'BUY' | 'SELL' = random.pick(['BUY', 'SELL'] as const),
): PlaceCall {
  const tool = random.pick(tools);
  const away = side === 'BUY' ? price + 1 : price - 1;
  const prices = {
    place_limit_order: { limitPrice: price, timeValidity: 'DAY' },
    place_market_order: {},
    place_stop_order: { stopPrice: away, timeValidity: 'GOOD_TILL_CANCEL' },
    place_stop_limit_order: { stopPrice: away, limitPrice: away, timeValidity: 'DAY' },
  }[tool];
  return { tool, quantity, args: { ticker, side, quantity, ...prices } };
}
