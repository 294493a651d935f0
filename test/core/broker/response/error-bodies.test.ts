import { describe, expect, test } from 'vitest';
import { isBlockBody, isRateLimitBody, parseErrorBody } from '../../../../src/core/broker/response/http-errors.ts';

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

  // Such a body proves that an order was refused, with status 200 too, so nothing else may be taken for one.
  const named = (length: number) => {
    const [start, end] = ['{"code":"BusinessException","context":{"type":"TooManyRequests"},"x":"', '"}'];
    return start + 'x'.repeat(length - start.length - end.length) + end;
  };
  test.each([
    ['the type in a path', '{"code":"BusinessException","type":"/api-errors/TooManyRequests"}', true],
    ['no exception', '{"code":"Other","context":{"type":"TooManyRequests"}}', false],
    ['no code', '{"context":{"type":"TooManyRequests"}}', false],
    ['the code itself', '{"code":"TooManyRequests"}', false],
    ['another type', '{"code":"BusinessException","context":{"type":"Other"},"message":"TooManyRequests"}', false],
    ['no type', '{"code":"BusinessException","clarification":"TooManyRequests"}', false],
    ['a longer type', '{"code":"BusinessException","context":{"type":"TooManyRequestsToday"}}', false],
    ['a list', '[{"code":"BusinessException","context":{"type":"TooManyRequests"}}]', false],
    ['a text', '"TooManyRequests"', false],
    ['nothing', 'null', false],
    ['an order', '{"id":7,"ticker":"TooManyRequests","status":"NEW"}', false],
    ['2,000 characters', named(2_000), true],
    ['2,001 characters', named(2_001), false],
  ])('are a refusal for the rate by their code and their type: %s', (_, text, isRateLimit) => {
    expect(isRateLimitBody(text)).toBe(isRateLimit);
  });

  test.each([
    ['null', { code: undefined, detail: 'null' }],
    ['7', { code: undefined, detail: '7' }],
    ['"a text"', { code: undefined, detail: '"a text"' }],
    ['{"code":"A","context":null}', { code: 'A', detail: undefined }],
    ['{"code":"A","context":"text"}', { code: 'A', detail: undefined }],
    ['{"code":"A","context":{"type":"B c"}}', { code: 'A', detail: undefined }],
    ['{"code":"A B"}', { code: undefined, detail: undefined }],
    ['{"code":"<A"}', { code: undefined, detail: undefined }],
    ['{"code":"A<"}', { code: undefined, detail: undefined }],
    ['{"code":"a_B.c-1"}', { code: 'a_B.c-1', detail: undefined }],
    ['{"code":12,"message":7}', { code: undefined, detail: undefined }],
    ['{"type":"plain","detail":"<B>","title":"T"}', { code: 'plain', detail: 'T' }],
    ['{"type":"","code":"A","message":"m"}', { code: 'A', detail: 'm' }],
    ['{"type":"a/b","code":"A","message":"m"}', { code: 'b', detail: undefined }],
    ['{"code":"A","clarification":"<!-- x","message":"1 < 2"}', { code: 'A', detail: '1 < 2' }],
    ['</p>', { code: undefined, detail: undefined }],
    ['price <= 5', { code: undefined, detail: 'price <= 5' }],
  ])('are read with what is missing or of another kind: %s', (text, expected) => {
    expect(parseErrorBody(text)).toEqual(expected);
  });

  test('are parsed up to 65,536 characters', () => {
    const body = '{"code":"A"}';
    expect(parseErrorBody(body.padEnd(65_536)).code).toBe('A');
    expect(parseErrorBody(body.padEnd(65_537))).toEqual({ code: undefined, detail: body });
  });

  test('never throw, and have a bounded length', () => {
    const huge = `{"code":"A","clarification":"${'x'.repeat(1_000_000)}"}`;
    expect((parseErrorBody(huge).detail ?? '').length).toBeLessThanOrEqual(300);
    expect(parseErrorBody(`${'['.repeat(60_000)}`).code).toBeUndefined();
  });

  // A block proves that the service has not seen an order, so nothing else may be taken for one. Proxies name it with
  // 403, and with 400 in a few setups; with 5xx they say that they could not reach the service, or had no response.
  test.each([
    [403, 'error code: 1020', true],
    [400, 'error code: 1006', true],
    [403, '<h1>Error</h1><p>Error code <strong>1015</strong></p>', true],
    [403, 'ERROR CODE 1099', true],
    [200, 'error code: 1020', false],
    [401, 'error code: 1020', false],
    [402, 'error code: 1020', false],
    [404, 'error code: 1020', false],
    [408, 'error code: 1020', false],
    [429, 'error code: 1015', false],
    [502, 'error code: 1000', false],
    [520, 'error code: 1020', false],
    [530, 'error code: 1033', false],
    [403, 'error code: 520', false],
    [403, 'error code: 1120', false],
    [403, 'error code: 10200', false],
    [403, 'the error 1020', false],
    [403, '', false],
    [403, `${' '.repeat(65_520)}error code: 1020`, true],
    [403, `${' '.repeat(65_521)}error code: 1020`, false],
  ])('with status %i are those of a proxy that blocks: %s', (status, text, isBlock) => {
    expect(isBlockBody(status, text)).toBe(isBlock);
  });
});
