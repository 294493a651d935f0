/**
 * Ways to notify that failed for a reason that other settings alone remove. A process tries such a way once, and the next
 * one once more, because the settings may have changed. The store keeps the failure, which commands show.
 */

import type { KeyValueStore } from '../../core/broker/types.ts';
import type { Clock } from '../../core/clock.ts';
import { toIsoTimestamp } from '../../core/text/dates.ts';
import { type ChannelName, type DeliveryCode, DeliveryError, isDeliveryCode } from './notify/channel.ts';

/** A way that failed, as the store keeps it. */
export interface FailedWay {
  readonly channel: ChannelName;
  readonly code: DeliveryCode;
  /** Of the HTTP or SMTP response. */
  readonly status?: number | undefined;
  /** Milliseconds since 1970. */
  readonly failedAt: number;
}

/** A way that failed, for a person. */
export interface ShownFailure extends FailedWay {
  /** What happened, and what to do, in a sentence each. */
  readonly message: string;
  readonly next: string;
}

/** The ways of one process. Its functions never throw: memory takes the place of a store that cannot be used. */
export interface FailedWays {
  /** Whether this process has tried the way, and waits for other settings. */
  isBlocked(channel: ChannelName): boolean;
  /** Keeps the failure; this process does not use the way any more. */
  block(error: DeliveryError): Promise<void>;
  /** The way works. */
  clear(channel: ChannelName): Promise<void>;
  /** Forgets the failures of ways that are not set any more. */
  keepOnly(channels: readonly ChannelName[]): Promise<void>;
}

type Kept = Readonly<Partial<Record<string, FailedWay>>>;
const namespace = 'failed-ways';

/** Creates the ways of a process, none of which it has tried. */
export function createFailedWays({
  records,
  clock,
  environment,
  onFailure,
}: {
  readonly records: KeyValueStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly environment: string;
  /** Called with each failure that is new to this process. */
  readonly onFailure?: ((failure: ShownFailure) => void) | undefined;
}): FailedWays {
  const blocked = new Set<ChannelName>();
  const cleared = new Set<ChannelName>();
  const change = (work: (kept: Kept) => Kept) =>
    records.update<Kept, void>(namespace, environment, (kept = {}) => {
      const left = work(kept);
      return { state: Object.keys(left).length === 0 ? undefined : left, result: undefined };
    });
  return {
    isBlocked: (channel) => blocked.has(channel),
    block: async ({ channel, code, facts: { status } }) => {
      if (blocked.has(channel)) return;
      blocked.add(channel);
      const failed: FailedWay = { channel, code, status, failedAt: clock.now() };
      await change((kept) => ({ ...kept, [channel]: failed }));
      onFailure?.(toShown(failed));
    },
    clear: async (channel) => {
      // A message in each round must not be a write in each round.
      if (cleared.has(channel)) return;
      cleared.add(channel);
      await change(({ [channel]: _, ...others }) => others);
    },
    keepOnly: (channels) =>
      change((kept) =>
        Object.fromEntries(Object.entries(kept).filter(([name]) => channels.some((one) => one === name))),
      ),
  };
}

/** The failures of an environment, by the order of their names. */
export async function listFailedWays(records: KeyValueStore, environment: string): Promise<readonly ShownFailure[]> {
  const kept = await records.read<Kept>(namespace, environment);
  return Object.values(kept ?? {})
    .flatMap((failed) => (failed && isDeliveryCode(failed.code) ? [toShown(failed)] : []))
    .toSorted((a, b) => (a.channel < b.channel ? -1 : 1));
}

/** One line for a person, who is to correct the settings. `sayMoment` writes a time (ms). */
export const sayFailure = (
  { channel, message, next, failedAt }: ShownFailure,
  sayMoment: (at: number) => string,
): string => `${channel} failed (${sayMoment(failedAt)}): ${message} ${next} Then start the watch again.`;

/** The failure as a command prints it with --json. */
export const toFailureBody = ({ channel, code, status, failedAt, message, next }: ShownFailure) => ({
  ...{ way: channel, code, status },
  failedAt: toIsoTimestamp(failedAt),
  ...{ message, next },
});

function toShown(failed: FailedWay): ShownFailure {
  const { channel, code, status } = failed;
  const { message, next } = new DeliveryError(channel, code, { status });
  return { ...failed, message, next };
}
