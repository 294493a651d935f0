import type { Account } from '../account/simulated-account.ts';
import type { Quirks } from '../testing/quirks.ts';
import type { World } from '../world/world.ts';

/** The data from which handlers build responses. */
export interface State {
  readonly world: World;
  readonly account: Account;
  readonly quirks: Quirks;
  readonly now: number;
  readonly origin: string;
}

/** A request that has passed authentication and rate limits. */
export interface Request extends State {
  readonly query: URLSearchParams;
  /** The path parameter; undefined when the endpoint has none. */
  readonly id: number;
  readonly bodyText: string;
  /** Called when the request booked an order. */
  readonly onOrder: (id: number) => void;
}
