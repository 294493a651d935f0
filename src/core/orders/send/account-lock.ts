/**
 * Limits each account to one order in flight: by a queue within this process, and by a lease in the journal between
 * processes. The lock saves needless connections; the check that decides is made by the commit, on the rows in
 * SENDING.
 */
import type { CallContext } from '../../broker/types.ts';
import type { Clock } from '../../clock.ts';
import { ignoreAbort } from '../../errors.ts';
import { isHeldByOther, type ProcessRegistry } from '../../lease.ts';
import { log, orElse } from '../../log.ts';
import type { Journal } from '../intent/journal-port.ts';

interface Lease {
  readonly owner: string;
  readonly intentId: string;
  readonly until: number;
}

const pollIntervalMs = 50;
/** The longest time that sending can take after the call's deadline, the last moment at which it may start. */
const sendingMs = 40_000;
/** The longest lease (ms). */
const maxLeaseMs = 120_000;

export interface AccountLock {
  /**
   * Runs `work` when no other order of the account is in flight; undefined when the call's deadline passed or the
   * call was aborted first.
   */
  inTurn<Result>(
    accountKey: string,
    intentId: string,
    context: CallContext,
    work: () => Promise<Result>,
  ): Promise<Result | undefined>;
}

export function createAccountLock(deps: { journal: Journal; clock: Clock; processes: ProcessRegistry }): AccountLock {
  const { journal, clock, processes } = deps;
  const queues = new Map<string, Promise<unknown>>();

  const take = async (name: string, intentId: string, context: CallContext): Promise<boolean> => {
    const until = context.deadlineAt + sendingMs;
    for (;;) {
      const isMine = await journal.change(async (tx) => {
        const held = await tx.get<Lease>(name);
        // The queue of this process runs one order at a time, so a lease of this process is free.
        if (isHeldByOther(held, processes, clock.now(), maxLeaseMs) && held?.intentId !== intentId) return false;
        await tx.set(name, { owner: processes.self, intentId, until } satisfies Lease);
        return true;
      });
      if (isMine) {
        log.debug('lease', { name, intentId, action: 'taken' });
        return true;
      }
      if (context.signal?.aborted || clock.now() + pollIntervalMs > context.deadlineAt) return false;
      await clock.sleep(pollIntervalMs, context.signal).catch(ignoreAbort);
    }
  };

  const giveBack = (name: string, intentId: string) =>
    journal
      .change(async (tx) => {
        const held = await tx.get<Lease>(name);
        if (held?.owner === processes.self) await tx.set(name, undefined);
      })
      .then(() => log.debug('lease', { name, intentId, action: 'released' }))
      // If the store fails now, the lease expires.
      .catch(orElse('release the turn of an order', undefined));

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
        // The caller has the error.
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
