/**
 * Journal of writes that are not orders (pies, reports). Each is recorded before it is sent, and sent once. When
 * the response to a create is lost, a listing of the service decides whether it exists before an equal one is sent
 * again.
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
  /** `refused`: a rule of this server refused it, and nothing was sent. */
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

/** How to find what a create made when its response was lost. */
export interface RecoveryLookup {
  /** The ids of the objects that may be the result, most likely first. */
  ids(context: CallContext): Promise<readonly string[]>;
  /** Whether the object is the requested one and did not exist before `sentAt` (ms). */
  isIt(id: string, sentAt: number, context: CallContext): Promise<boolean>;
  /** The result that the create would have returned. */
  result(id: string): unknown;
}

/** One write that is not an order. */
export interface WriteRequest {
  readonly endpoint: Endpoint;
  readonly request: CallRequest;
  readonly context: CallContext;
  readonly send: () => Promise<{ readonly data: unknown; readonly answeredAt: number }>;
  readonly whenUnknown: string;
  /** The request changes what the account does with its money, so whatever stops orders stops it too. */
  readonly changesAccount: boolean;
  /** For creates only: other requests can be repeated without harm. */
  readonly lookUp?: RecoveryLookup | undefined;
}

/** Errors after which nothing was sent to the broker. */
const retryableCodes = new Set<string>(['rate_limited', 'unreachable', 'cancelled', 'not_configured']);
const loopMs = 60_000;
const maxHeldBack = 5;

/** Each check can cost a request of a slow rate limit. */
const maxCandidates = 5;

export interface WriteJournal {
  /**
   * Sends one write and returns its outcome. A refusal by a rule or by the broker is an outcome. Throws for other
   * errors after which the write provably did not happen.
   */
  run(order: WriteRequest): Promise<WriteOutcome>;
}

interface WriteJournalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly processes: ProcessRegistry;
  readonly settings: TradingSettings;
  readonly accountKey: () => Promise<string>;
}

/** Creates the journal of writes for one process. */
export function createWriteJournal(parts: WriteJournalDeps): WriteJournal {
  const { journal, clock } = parts;

  const closeWrite = (write: WriteIntent, state: WriteIntent['state'], change: Partial<WriteIntent>) =>
    journal
      .change((tx) => tx.moveWrite(write.id, write.state, { ...change, state, changedAt: clock.now() }))
      // The broker's response counts even if it could not be recorded.
      .catch(() => undefined);

  /** Inserts a write, unless an equal create of the last minutes has an unknown outcome: then returns that one. */
  const insertUnlessDuplicate = (write: WriteIntent, isCreate: boolean): Promise<WriteIntent | undefined> =>
    journal.change(async (tx) => {
      const { fingerprint, createdAt } = write;
      const equal = isCreate ? await tx.listWrites({ fingerprint, createdSince: createdAt - duplicateWindowMs }) : [];
      const twin = equal.find(({ state }) => state === 'UNKNOWN' || state === 'SENDING');
      if (!twin) await tx.insertWrite(write);
      return twin;
    });

  /** A call that is repeated in a loop while nothing can be sent gets an error, and adds no more rows. */
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
