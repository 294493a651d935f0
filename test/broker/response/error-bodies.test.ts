import { describe, expect, test } from 'vitest';
import { isRateLimitBody, parseErrorBody } from '../../../src/broker/response/error-bodies.ts';

describe('error bodies', () => {
  test.each([
    [
      '{"type":"/api-errors/insufficient-free-for-stocks-buy","title":"Not enough","status":400,"detail":"You need 12.50 more","traceId":"t"}',
      { code: 'insufficient-free-for-stocks-buy', detail: 'You need 12.50 more' },
    ],
    ['{"type":"/api-errors/price-too-far","title":"Too far"}', { code: 'price-too-far', detail: 'Too far' }],
    ['{"code":"InternalError","clarification":"Try later"}', { code: 'InternalError', detail: 'Try later' }],
    ['{"code":"Down","message":"Back soon"}', { code: 'Down', detail: 'Back soon' }],
    ['{"code":"Down","message":"m","clarification":"Back soon"}', { code: 'Down', detail: 'Back soon' }],
    [
      '{"code":"BusinessException","context":{"type":"TooManyRequests"}}',
      { code: 'TooManyRequests', detail: undefined },
    ],
    ['', { code: undefined, detail: undefined }],
    ['Service is down', { code: undefined, detail: 'Service is down' }],
    ['<html><body><h1>502 Bad Gateway</h1></body></html>', { code: undefined, detail: undefined }],
    ['["a list"]', { code: undefined, detail: '["a list"]' }],
    ['{"code":{"nested":1},"clarification":["x"]}', { code: undefined, detail: undefined }],
    ['{"type":"/api-errors/<script>alert(1)</script>","detail":"<b>x</b>"}', { code: undefined, detail: undefined }],
  ])('are read: %s', (text, expected) => {
    expect(parseErrorBody(text)).toEqual(expected);
  });

  test('show a refusal for too many requests', () => {
    expect(isRateLimitBody('{"code":"BusinessException","context":{"type":"TooManyRequests"}}')).toBe(true);
    expect(isRateLimitBody('{"code":"BusinessException","context":{"type":"Other"}}')).toBe(false);
    expect(isRateLimitBody('{"name":"TooManyRequests"}')).toBe(false);
    expect(isRateLimitBody('TooManyRequests')).toBe(false);
  });

  test('never throw, and have a bounded length', () => {
    const huge = `{"code":"A","clarification":"${'x'.repeat(1_000_000)}"}`;
    expect((parseErrorBody(huge).detail ?? '').length).toBeLessThanOrEqual(300);
    expect(parseErrorBody(`${'['.repeat(60_000)}`).code).toBeUndefined();
  });
});
