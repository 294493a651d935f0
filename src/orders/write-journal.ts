/**
 * Writes that are not orders (pies, reports) under the same journal: written down before they leave, sent
 * once, and when the answer is lost looked up by listing before the same one is sent again.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { CallContext, CallRequest } from '../broker/types.ts';
import type { Endpoint } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import { BrokerageError } from '../errors.ts';
import type { TradingSettings } from './enrollment/trading-settings.ts';
import { writeRefusal } from './halt/trading-state.ts';
import { duplicateWindowMs } from './intent/duplicates.ts';
import type { Journal, ProcessRegistry } from './intent/ports.ts';
import type { RuleName } from './intent/refusal.ts';
import type { WriteIntent } from './intent/write-intent.ts';

export interface WriteOutcome {
  /** `refused`: by a rule of ours, and nothing was sent. */
  readonly outcome: 'done' | 'rejected' | 'unknown' | 'refused';
  readonly rule?: RuleName | undefined;
  readonly reason?: string | undefined;
  readonly intentId: string;
  readonly coalesced?: true | undefined;
  readonly answeredAt?: number | undefined;
  readonly result?: unknown;
  readonly brokerCode?: string | undefined;
  readonly message: string;
  readonly next?: string | undefined;
}

/** How a create whose answer was lost is found again. */
export interface RecoveryLookup {
  /** The ids of what may be it, the likeliest first. */
  ids(context: CallContext): Promise<readonly string[]>;
  /** Whether it is what was asked for and was not there before `sentAt` (ms). */
  isIt(id: string, sentAt: number, context: CallContext): Promise<boolean>;
  /** What a create would have answered. */
  result(id: string): unknown;
}

export interface WriteRequest {
  readonly endpoint: Endpoint;
  readonly request: CallRequest;
  readonly context: CallContext;
  readonly send: () => Promise<{ readonly data: unknown; readonly answeredAt: number }>;
  readonly whenUnknown: string;
  /** It changes what the account does with money: it stops where orders stop. */
  readonly changesAccount: boolean;
  /** For creates: anything else may be repeated without harm. */
  readonly lookUp?: RecoveryLookup | undefined;
}

/** Nothing left for the broker. */
const retryableCodes = new Set<string>(['rate_limited', 'unreachable', 'cancelled', 'not_configured']);
const loopMs = 60_000;
const maxHeldBack = 5;

/** Each look can cost a request of a slow limit. */
const maxCandidates = 5;

export interface WriteJournal {
  run(order: WriteRequest): Promise<WriteOutcome>;
}

interface WriteJournalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly accountKey: () => Promise<string>;
}

export function createWriteJournal(parts: WriteJournalDeps): WriteJournal {
  const { journal, clock } = parts;

  const closeWrite = (write: WriteIntent, state: WriteIntent['state'], change: Partial<WriteIntent>) =>
    journal
      .change((tx) => tx.moveWrite(write.id, write.state, { ...change, state, changedAt: clock.now() }))
      // What the broker said counts, whether it could be written down or not.
      .catch(() => undefined);

  /** Writes it down, unless an equal create of the last minutes has an end that nobody knows: then that one. */
  const insertUnlessDuplicate = (write: WriteIntent, isCreate: boolean): Promise<WriteIntent | undefined> =>
    journal.change(async (tx) => {
      const { fingerprint, createdAt } = write;
      const equal = isCreate ? await tx.listWrites({ fingerprint, createdSince: createdAt - duplicateWindowMs }) : [];
      const twin = equal.find(({ state }) => state === 'UNKNOWN' || state === 'SENDING');
      if (!twin) await tx.insertWrite(write);
      return twin;
    });

  /** A call that is repeated in a loop while nothing can leave is answered, and writes nothing more down. */
  const refuseLoop = async ({ accountKey, endpoint, createdAt }: WriteIntent): Promise<void> => {
    const filter = { accountKey, states: ['REJECTED'] as const, createdSince: createdAt - loopMs };
    const rejected = await journal.read((tx) => tx.listWrites(filter));
    const same = rejected.filter((write) => write.wasKeptBack && write.endpoint === endpoint);
    if (same.length < maxHeldBack) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(((same.at(-1)?.createdAt ?? 0) + loopMs - createdAt) / 1000));
    throw new BrokerageError(
      'rate_limited',
      `${same.length} such calls were refused in the last minute: ${same[0]?.reason ?? ''}`,
      `Call again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  };

  const find = async (write: WriteIntent, { lookUp, context }: WriteRequest): Promise<unknown> => {
    if (!lookUp) return undefined;
    const fresh = { ...context, notBefore: clock.now() };
    const found: string[] = [];
    for (const id of (await lookUp.ids(fresh)).slice(0, maxCandidates))
      if (await lookUp.isIt(id, write.createdAt, fresh)) found.push(id);
    const [one, ...others] = found;
    return one === undefined || others.length > 0 ? undefined : lookUp.result(one);
  };

  const unknown = (write: WriteIntent, order: WriteRequest): WriteOutcome => ({
    outcome: 'unknown',
    intentId: write.id,
    message: 'The response was lost; the request may have been carried out.',
    next: order.whenUnknown,
  });

  const findByLookUp = async (write: WriteIntent, order: WriteRequest): Promise<WriteOutcome | undefined> => {
    const result = await find(write, order).catch(() => undefined);
    if (result === undefined) return undefined;
    await closeWrite(write, 'DONE', {});
    return {
      outcome: 'done',
      intentId: write.id,
      message: 'The broker carried out the request; a search found the result.',
      result,
    };
  };

  return {
    run: async (order) => {
      const accountKey = await parts.accountKey();
      const fingerprint = createHash('sha256')
        .update(
          JSON.stringify([
            parts.settings.environment,
            accountKey,
            order.endpoint.id,
            order.request.id ?? '',
            order.request.body ?? '',
          ]),
        )
        .digest('hex');
      const now = clock.now();
      const id = randomBytes(16).toString('hex');
      if (order.changesAccount) {
        const refusal = await journal.read((tx) => writeRefusal(parts.settings, tx));
        if (refusal)
          return {
            outcome: 'refused',
            intentId: id,
            ...refusal,
            message: 'This server refused the request; nothing was sent.',
            next: 'Tell the user which rule refused it.',
          };
      }
      const write: WriteIntent = {
        id,
        kind: 'write',
        state: 'SENDING',
        environment: parts.settings.environment,
        accountKey,
        fingerprint,
        endpoint: order.endpoint.id,
        createdAt: now,
        changedAt: now,
        sender: parts.processes.self,
      };
      await refuseLoop(write);
      const twin = await insertUnlessDuplicate(write, order.lookUp !== undefined);
      if (twin) {
        const said = (await findByLookUp(twin, order)) ?? unknown(twin, order);
        return { ...said, coalesced: true, message: `${said.message} The request was not sent again.` };
      }
      try {
        const { data, answeredAt } = await order.send();
        await closeWrite(write, 'DONE', {});
        return {
          outcome: 'done',
          intentId: write.id,
          answeredAt,
          message: 'The broker carried out the request.',
          result: data ?? null,
        };
      } catch (error) {
        if (!(error instanceof BrokerageError)) throw error;
        const isLost = error.facts.mayHaveHappened || ['upstream_error', 'unexpected_answer'].includes(error.code);
        if (!isLost) {
          await closeWrite(write, 'REJECTED', { reason: error.message, wasKeptBack: retryableCodes.has(error.code) });
          if (!['rejected', 'not_found', 'forbidden'].includes(error.code)) throw error;
          const { message, next, facts } = error;
          return { outcome: 'rejected', intentId: write.id, message, next, brokerCode: facts.brokerCode };
        }
        await closeWrite(write, 'UNKNOWN', { reason: error.message });
        const lost: WriteIntent = { ...write, state: 'UNKNOWN' };
        return (await findByLookUp(lost, order)) ?? unknown(lost, order);
      }
    },
  };
}
