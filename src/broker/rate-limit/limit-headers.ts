import type { RateLimitHeaders } from './release.ts';

/**
 * The five headers of docs/interface.md, Rate limits. The reset is a moment on the service's clock, so it is
 * measured against the service's own Date; without one it says nothing.
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
