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
  readonly leader?: Leader;
}

/** Who asks for all. It renews `until` while it waits, so that one that was killed stands in nobody's way for long. */
interface Leader {
  readonly id: string;
  readonly owner: string;
  readonly epoch: number;
  readonly askedAt: number;
  readonly until: number;
}

type Choice =
  | { readonly kind: 'use'; readonly version: string; readonly askedAt: number; readonly answeredAt: number }
  | { readonly kind: 'follow'; readonly leader: Leader }
  | { readonly kind: 'lead' };

const followEveryMs = 50;
/** After this long a leader that has not renewed its word is taken for dead. */
const leaseMs = 6_000;
/** Parsed answers that are kept at hand; the list of instruments is the one large one. */
const mostParsed = 32;
/** An answer that is no longer fresh stays this long, for those who are about to read it. */
const lingerMs = 30_000;

export interface SharedReadsDeps {
  readonly records: Records;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly owner: string;
  /** Whether another process still runs; left out, its lease alone counts. */
  readonly isAlive?: ((owner: string) => boolean | Promise<boolean>) | undefined;
}

export function sharedReads(deps: SharedReadsDeps): Guard<Understood> {
  const { records, clock, limits, owner } = deps;
  const parsed = new Map<string, { version: string; data: unknown }>();
  const flights = new Map<string, Promise<Understood>>();

  const remember = (key: string, version: string, data: unknown) => {
    parsed.delete(key);
    parsed.set(key, { version, data });
    for (const oldest of parsed.keys()) {
      if (parsed.size <= mostParsed) break;
      parsed.delete(oldest);
    }
  };

  const freshMsOf = async ({ endpoint, accountKey }: Outgoing) =>
    endpoint.freshSeconds ? endpoint.freshSeconds * 1000 : limits.periodMs(accountKey, endpoint);

  // Nothing that we write changes the metadata, and reading it anew costs a minute of its limit.
  const epochOf = async ({ endpoint, accountKey }: Outgoing) =>
    endpoint.freshSeconds ? 0 : ((await records.read<number>('read-epoch', accountKey)) ?? 0);

  const choose = async (
    request: Outgoing,
    key: string,
    flightId: string,
    without: { readonly dead: string | undefined; readonly version: string | undefined },
  ): Promise<Choice> => {
    const epoch = await epochOf(request);
    const freshMs = await freshMsOf(request);
    const notBefore = request.context.notBefore ?? Number.NEGATIVE_INFINITY;
    return records.update<Head, Choice>('read-head', key, (head) => {
      const now = clock.now();
      if (
        head?.version !== undefined &&
        head.version !== without.version &&
        head.epoch === epoch &&
        head.askedAt >= notBefore &&
        now < head.answeredAt + freshMs
      ) {
        const { version, askedAt, answeredAt } = head;
        return { state: head, result: { kind: 'use', version, askedAt, answeredAt } };
      }
      const leader = head?.leader;
      const leads = leader && leader.until > now && leader.until <= now + leaseMs && leader.owner !== without.dead;
      if (leads && leader.epoch === epoch && leader.askedAt >= notBefore)
        return { state: head, result: { kind: 'follow', leader } };
      const lead: Leader = { id: flightId, owner, epoch, askedAt: now, until: now + leaseMs };
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
    if (kept && answer) remember(key, version, answer.data);
    await sweep(request, key);
  };

  const renew = (key: string, flightId: string) =>
    records.update<Head, void>('read-head', key, (head) => {
      if (head?.leader?.id !== flightId) return { state: head, result: undefined };
      return { state: { ...head, leader: { ...head.leader, until: clock.now() + leaseMs } }, result: undefined };
    });

  /** A walk leaves hundreds of pages: whoever reads next removes what is no longer fresh. */
  const sweep = async (request: Outgoing, key: string): Promise<void> => {
    const now = clock.now();
    const keptUntil = now + (await freshMsOf(request)) + lingerMs;
    const stale = await records.update<Record<string, number>, string[]>('read-index', request.accountKey, (before) => {
      const all = Object.entries({ ...before, [key]: keptUntil });
      return {
        state: Object.fromEntries(all.filter(([, until]) => until > now)),
        result: all.filter(([, until]) => until <= now).map(([name]) => name),
      };
    });
    for (const name of stale) {
      const isLed = await records.update<Head, boolean>('read-head', name, (head) => {
        const leads = (head?.leader?.until ?? 0) > now;
        return leads ? { state: head, result: true } : { state: undefined, result: false };
      });
      if (isLed) continue;
      parsed.delete(name);
      await records.update('read-body', name, () => ({ state: undefined, result: undefined }));
    }
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
    remember(key, version, data);
    return { data, text: body.text, askedAt, answeredAt, shared: true };
  };

  return (next) => {
    const lead = async (request: Outgoing, key: string, flightId: string): Promise<Understood> => {
      const flight = next(request);
      flights.set(flightId, flight);
      // A real timer: it tells other processes that this one still runs.
      const heartbeat = setInterval(() => void renew(key, flightId).catch(() => undefined), leaseMs / 3);
      heartbeat.unref();
      let answer: Understood | undefined;
      try {
        answer = await flight;
        return answer;
      } finally {
        clearInterval(heartbeat);
        flights.delete(flightId);
        // An answer that cannot be kept is an answer all the same.
        await keep(request, key, flightId, answer).catch(() => undefined);
      }
    };

    const read = async (request: Outgoing): Promise<Understood> => {
      const key = `${request.accountKey} ${request.path}`;
      const flightId = randomUUID();
      let dead: string | undefined;
      let version: string | undefined;
      for (;;) {
        throwWhenOver(request, clock.now());
        const choice = await choose(request, key, flightId, { dead, version });
        if (choice.kind === 'lead') return lead(request, key, flightId);
        if (choice.kind === 'use') {
          const answer = await use(request, key, choice);
          if (answer) return answer;
          // Its text is another one by now, or its writer died in between.
          version = choice.version;
          continue;
        }
        const { leader } = choice;
        const answer = await follow(request, flights.get(leader.id), clock);
        if (answer) return answer;
        const isDead = leader.owner !== owner && deps.isAlive && !(await deps.isAlive(leader.owner));
        dead = isDead ? leader.owner : undefined;
      }
    };

    return async (request) => {
      if (request.endpoint.effect === 'read') return request.link ? next(request) : read(request);
      try {
        return await next(request);
      } finally {
        await openEpoch(records, request.accountKey).catch(() => undefined);
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
  const { signal, deadlineAt } = request.context;
  if (!flight) {
    await clock.sleep(followEveryMs, signal).catch(() => undefined);
    return undefined;
  }
  try {
    const answer = await unlessOver(flight, deadlineAt - clock.now(), signal);
    return answer && { ...answer, shared: true };
  } catch (error) {
    const itsOwn = error instanceof BrokerageError && ['cancelled', 'rate_limited', 'timeout'].includes(error.code);
    if (!itsOwn) throw error;
    await clock.sleep(1, signal).catch(() => undefined);
    return undefined;
  }
}

/** The value, or undefined when the follower's own time or patience ends first. A real timer: it watches real work. */
function unlessOver<T>(promise: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    };
    const timer = setTimeout(stop, Math.max(0, ms));
    signal?.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(stop);
  });
}

function throwWhenOver({ context }: Outgoing, now: number): void {
  if (context.signal?.aborted)
    throw new BrokerageError(
      'cancelled',
      'The call was cancelled before it was done.',
      'Call again if it is still wanted.',
    );
  if (now >= context.deadlineAt)
    throw new BrokerageError('timeout', 'The broker did not answer in time.', 'Try again in a minute.');
}
