import type { Broker } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import type { InstrumentDirectory } from '../../core/instruments/instrument-directory.ts';

/** What the search for instruments needs. */
export interface SearchDeps {
  readonly clock: Clock;
  readonly broker: Broker;
  readonly directory: InstrumentDirectory;
}
