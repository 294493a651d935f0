import type { RateLimitHeaders } from './release.ts';

/**
 * Parses the rate limit headers (docs/interface.md, Rate limits). The reset is a time of the service's clock, so it
 * is compared with the service's Date header and ignored without one.
 */
export function parseRateLimitHeaders(headers: Readonly<Record<string, string>>): RateLimitHeaders {
  const number = (name: string) => {
    const text = headers[name]?.trim();
    const value = text ? Number(text) : Number.NaN;
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const periodSeconds = number('x-ratelimit-period');
  const resetSeconds = number('x-ratelimit-reset');
  const serverTime = Date.parse(headers.date ?? '');
  const retrySeconds = number('retry-after');
  const resetInMs =
    retrySeconds !== undefined
      ? retrySeconds * 1000
      : resetSeconds === undefined || Number.isNaN(serverTime)
        ? undefined
        : resetSeconds * 1000 - serverTime;
  return {
    requests: number('x-ratelimit-limit'),
    periodMs: periodSeconds === undefined ? undefined : periodSeconds * 1000,
    remaining: number('x-ratelimit-remaining'),
    used: number('x-ratelimit-used'),
    resetInMs,
  };
}
