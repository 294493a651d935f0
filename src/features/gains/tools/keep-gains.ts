/** Realised gains that were computed before, for as long as nothing that they are computed from changes. */

import { toZoneDate } from '../../../core/text/zone-day.ts';
import type { History } from '../../history/history-port.ts';
import type { RealisedGains, RealisedGainsOptions } from '../gain-types.ts';
import { summarizeRealisedGains } from '../summarize.ts';
import type { GainsInputs } from './gains-inputs.ts';

/** About what a row of a result takes, with its matches. */
const bytesPerRow = 600;
const bytesPerTicker = 2_000;

interface KeptGainsOptions extends Omit<RealisedGainsOptions, 'costBasis' | 'findParent' | 'toDate' | 'paperAt'> {
  /** The zone (IANA) whose days the remarks name. */
  readonly zone: string;
}

/**
 * The gains of the inputs. Results with equal options are computed once; of the large ones, those of all sales, only the
 * newest is kept.
 */
export function keepGains(
  history: Pick<History, 'keep'>,
  { version, applied }: Pick<GainsInputs, 'version' | 'applied'>,
  options: KeptGainsOptions,
): RealisedGains {
  // Every option is in the name of the value, so none of them can be a function.
  const name = JSON.stringify(options);
  const isOfAll = options.since === undefined && options.ticker === undefined;
  return history.keep(isOfAll ? 'gains' : `gains ${name}`, `${version} ${name}`, () => {
    const { zone, ...rest } = options;
    const toDate = (at: number) => toZoneDate(at, zone);
    const value = summarizeRealisedGains(applied.trades, { ...rest, toDate, ...applied.options });
    const { disposals, unmatched, left } = value;
    return { value, bytes: (disposals.length + unmatched.length) * bytesPerRow + left.length * bytesPerTicker };
  });
}
