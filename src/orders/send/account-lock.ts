/**
 * One order in flight per account: in this process a queue, between processes a lease in the journal.
 * It keeps others from connecting in vain; what decides is the row that the commit looks at.
 */
import type { CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import type { Journal, ProcessRegistry } from '../intent/ports.ts';

interface Lease {
  readonly owner: string;
  readonly intentId: string;
  readonly until: number;
}

const pollIntervalMs = 50;
/** What an order can take after the last moment at which its call may begin to send it. */
const sendingMs = 40_000;
/** A clock that was set back does not make a lease longer. */
const maxLeaseMs = 120_000;

export interface AccountLock {
  /** Runs `work` when no other order of the account is in flight; undefined when that took too long. */
  inTurn<Result>(
    accountKey: string,
    intentId: string,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
}

export function createAccountLock(parts: { journal: Journal; clock: Clock; processes: ProcessRegistry }): AccountLock {
  const { journal, clock, processes } = parts;
  const queues = new Map<string, Promise<unknown>>();

  const take = async (name: string, intentId: string, context: CallContext): Promise<boolean> => {
    const until = context.deadlineAt + sendingMs;
    for (;;) {
      const isMine = await journal.change(async (tx) => {
        const held = await tx.get<Lease>(name);
        const now = clock.now();
        // Nobody else of this process is in the turn: its own queue says so.
        const isFree =
          !held ||
          held.owner === processes.self ||
          held.until <= now ||
          held.until > now + maxLeaseMs ||
          !processes.isAlive(held.owner);
        if (!isFree && held.intentId !== intentId) return false;
        await tx.set(name, { owner: processes.self, intentId, until } satisfies Lease);
        return true;
      });
      if (isMine) return true;
      if (context.signal?.aborted || clock.now() + pollIntervalMs > context.deadlineAt) return false;
      await clock.sleep(pollIntervalMs, context.signal).catch(() => undefined);
    }
  };

  const giveBack = (name: string, intentId: string) =>
    journal
      .change(async (tx) => {
        const held = await tx.get<Lease>(name);
        if (held?.owner === processes.self && held.intentId === intentId) await tx.set(name, undefined);
      })
      // A store that fails now: the lease ends by itself.
      .catch(() => undefined);

  return {
    inTurn: (accountKey, intentId, context, work) => {
      const name = `turn ${accountKey}`;
      const run = async () => {
        if (!(await take(name, intentId, context))) return undefined;
        try {
          return await work();
        } finally {
          await giveBack(name, intentId);
        }
      };
      const mine = (queues.get(name) ?? Promise.resolve()).then(run, run);
      queues.set(
        name,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
