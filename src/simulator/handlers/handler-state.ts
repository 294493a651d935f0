import type { Account } from '../account/account.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { World } from '../world/world.ts';

/** What an answer is made from. */
export interface State {
  readonly world: World;
  readonly account: Account;
  readonly quirks: Quirks;
  readonly now: number;
  readonly origin: string;
}

/** One request that has passed authentication and limits. */
export interface Request extends State {
  readonly query: URLSearchParams;
  /** The path parameter, undefined when the endpoint has none. */
  readonly id: number;
  readonly bodyText: string;
  /** Told when the request booked an order. */
  readonly onOrder: (id: number) => void;
}
