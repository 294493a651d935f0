/** The rate limit of the reads of single orders, as a service with a sliding window keeps it. */
import { orderFrom } from './account.ts';
import type { WireAnswer } from './wire.ts';

export interface OrderRate {
  /** Answers the read of any order. */
  answer(id: string): WireAnswer;
  /** What was sent against the limit. */
  broken(): readonly string[];
}

export interface RateRules {
  readonly requests: number;
  readonly periodMs: number;
  /** Requests of another program, counted together with the first read. */
  readonly others: number;
  /** The first read is refused, although the limit allows it, for `blockMs`. */
  readonly isRefused: boolean;
}

const blockMs = 2_000;

export function createOrderRate({ requests, periodMs, others, isRefused }: RateRules): OrderRate {
  const counted: number[] = [];
  const broken: string[] = [];
  let blockedUntil = 0;
  const headersAt = (now: number, used: number) => ({
    'x-ratelimit-limit': String(requests),
    'x-ratelimit-period': String(periodMs / 1_000),
    'x-ratelimit-remaining': String(Math.max(0, requests - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.ceil((now + periodMs) / 1_000)),
  });
  return {
    broken: () => broken,
    answer: (id) => {
      const now = Date.now();
      const isFirst = counted.length === 0;
      if (isFirst) counted.push(...Array<number>(others).fill(now));
      counted.push(now);
      const used = counted.filter((at) => at > now - periodMs).length;
      const headers = headersAt(now, used);
      if (now < blockedUntil) broken.push(`a request ${blockedUntil - now} ms before the end of a refusal`);
      if (used > requests) broken.push(`${used} requests in a period that allows ${requests}`);
      if (isFirst && isRefused) blockedUntil = now + blockMs;
      if (now < blockedUntil || used > requests)
        return { status: 429, headers: { ...headers, 'retry-after': String(blockMs / 1_000) } };
      const order = orderFrom(Number(id), 'market', { ticker: 'ALPHA_US_EQ', quantity: 1 });
      return { status: 200, headers, body: JSON.stringify(order) };
    },
  };
}
