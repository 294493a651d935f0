/**
 * Identical reads are one request: those in flight are joined, in this process and in the others that
 * share the store, and a fresh answer is handed out again. Every write, certain or not, opens a new
 * epoch, and what was asked for in an older one is neither kept nor handed out.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { BrokerageError } from '../../errors.ts';
import type { Guard, Outgoing, Understood } from '../call.ts';
import type { Limits } from '../limits.ts';
import type { Records } from '../ports.ts';
import { readData } from '../understand.ts';

interface Head {
  /** The record of the body; undefined when there is no answer yet. */
  readonly version?: string;
  readonly epoch: number;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly leader?: { readonly id: string; readonly epoch: number; readonly askedAt: number; readonly until: number };
}

type Choice =
  | { readonly kind: 'use'; readonly version: string; readonly askedAt: number; readonly answeredAt: number }
  | { readonly kind: 'follow' }
  | { readonly kind: 'lead' };

const followEveryMs = 50;
/** After this long a leader that has not answered is taken for dead. */
const leaseMs = 60_000;

export function sharedReads(deps: { records: Records; clock: Clock; limits: Limits }): Guard<Understood> {
  const { records, clock, limits } = deps;
  const parsed = new Map<string, { version: string; data: unknown }>();
  const flights = new Map<string, Promise<Understood>>();

  const epochOf = async (request: Outgoing) => (await records.read<number>('read-epoch', request.accountKey)) ?? 0;

  const choose = async (request: Outgoing, key: string, flightId: string): Promise<Choice> => {
    const epoch = await epochOf(request);
    const { freshSeconds } = request.endpoint;
    const freshMs = freshSeconds ? freshSeconds * 1000 : await limits.periodMs(request.accountKey, request.endpoint);
    const notBefore = request.context.notBefore ?? Number.NEGATIVE_INFINITY;
    return records.update<Head, Choice>('read-head', key, (head) => {
      const now = clock.now();
      if (
        head?.version !== undefined &&
        head.epoch === epoch &&
        head.askedAt >= notBefore &&
        now < head.answeredAt + freshMs
      ) {
        const { version, askedAt, answeredAt } = head;
        return { state: head, result: { kind: 'use', version, askedAt, answeredAt } };
      }
      const leader = head?.leader;
      if (leader && leader.until > now && leader.epoch === epoch && leader.askedAt >= notBefore)
        return { state: head, result: { kind: 'follow' } };
      const lead = { id: flightId, epoch, askedAt: now, until: now + leaseMs };
      const state = { epoch: -1, askedAt: 0, answeredAt: 0, ...head, leader: lead };
      return { state, result: { kind: 'lead' } };
    });
  };

  const keep = async (request: Outgoing, key: string, flightId: string, answer: Understood | undefined) => {
    const epoch = await epochOf(request);
    const version = randomUUID();
    if (answer)
      await records.update('read-body', key, () => ({ state: { version, text: answer.text }, result: undefined }));
    const kept = await records.update<Head, boolean>('read-head', key, (head) => {
      const { leader, ...rest } = head ?? { epoch: -1, askedAt: 0, answeredAt: 0 };
      // Somebody else leads by now: this answer is given to its own caller only.
      if (leader?.id !== flightId) return { state: head, result: false };
      if (!answer || leader.epoch !== epoch) return { state: rest, result: false };
      const { askedAt, answeredAt } = answer;
      return { state: { version, epoch, askedAt: Math.min(askedAt, leader.askedAt), answeredAt }, result: true };
    });
    if (kept && answer) parsed.set(key, { version, data: answer.data });
  };

  const use = async (
    request: Outgoing,
    key: string,
    choice: Choice & { kind: 'use' },
  ): Promise<Understood | undefined> => {
    const memo = parsed.get(key);
    const { version, askedAt, answeredAt } = choice;
    if (memo?.version === version) return { data: memo.data, text: '', askedAt, answeredAt, shared: true };
    const body = await records.read<{ version: string; text: string }>('read-body', key);
    if (body?.version !== version) return undefined;
    const data = readData(request, body.text);
    parsed.set(key, { version, data });
    return { data, text: body.text, askedAt, answeredAt, shared: true };
  };

  return (next) => {
    const lead = async (request: Outgoing, key: string, flightId: string): Promise<Understood> => {
      const flight = next(request);
      flights.set(key, flight);
      let answer: Understood | undefined;
      try {
        answer = await flight;
        return answer;
      } finally {
        if (flights.get(key) === flight) flights.delete(key);
        await keep(request, key, flightId, answer);
      }
    };

    const read = async (request: Outgoing): Promise<Understood> => {
      const key = `${request.accountKey} ${request.path}`;
      const flightId = randomUUID();
      for (;;) {
        const choice = await choose(request, key, flightId);
        if (choice.kind === 'lead') return lead(request, key, flightId);
        const answer =
          choice.kind === 'use' ? await use(request, key, choice) : await follow(request, flights.get(key), clock);
        if (answer) return answer;
      }
    };

    return async (request) => {
      if (request.endpoint.effect === 'read') return request.link ? next(request) : read(request);
      try {
        return await next(request);
      } finally {
        await openEpoch(records, request.accountKey);
      }
    };
  };
}

/** Nothing that was asked for until now is handed out any more. */
export const openEpoch = (records: Records, accountKey: string): Promise<void> =>
  records.update<number, void>('read-epoch', accountKey, (epoch) => ({ state: (epoch ?? 0) + 1, result: undefined }));

/** Waits for somebody else's flight. Undefined: look again. A failure that is only the leader's own is not shared. */
async function follow(
  request: Outgoing,
  flight: Promise<Understood> | undefined,
  clock: Clock,
): Promise<Understood | undefined> {
  if (clock.now() >= request.context.deadlineAt)
    throw new BrokerageError('timeout', 'The broker did not answer in time.', 'Try again in a minute.');
  if (!flight) {
    await clock.sleep(followEveryMs, request.context.signal);
    return undefined;
  }
  try {
    return { ...(await flight), shared: true };
  } catch (error) {
    const itsOwn = error instanceof BrokerageError && ['cancelled', 'rate_limited', 'timeout'].includes(error.code);
    if (!itsOwn) throw error;
    await clock.sleep(1, request.context.signal);
    return undefined;
  }
}
