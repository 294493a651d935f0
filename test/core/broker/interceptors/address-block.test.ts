import { describe, expect, test } from 'vitest';
import {
  getBlockSeconds,
  recordBlock,
  stopWhileBlocked,
} from '../../../../src/core/broker/interceptors/address-block.ts';
import type { HttpResponse, PreparedRequest } from '../../../../src/core/broker/types.ts';
import { type Endpoint, endpoints, reportFile } from '../../../../src/core/endpoints/index.ts';
import { createMemoryRecords } from '../../../../src/core/store/fallback-records.ts';
import { errorOf } from '../../../support/error-of.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { brokerFor, limitOrder, quickClock, serve } from '../support.ts';

const blockPage = '<!doctype html><title>Access denied</title><p>Error code: <span>1010</span></p>';
const summary = '{"id":1,"currency":"GBP"}';
const commit = async () => ({ writeBy: Number.POSITIVE_INFINITY });
const minuteMs = 60_000;

describe('a proxy that blocks the address', () => {
  test.each([
    ['403 with a line of text', 403, 'error code: 1010'],
    ['403 with a page', 403, blockPage],
    ['400 with a line of text', 400, 'error code: 1015'],
  ])('is an error of its own and not one of the key: %s', async (_, status, body) => {
    const service = await serve(() => ({ status, body }));
    const broker = brokerFor(service.origin);
    const error = await errorOf(broker.call(endpoints.getAccountSummary, {}, broker.context()));
    expect(error).toMatchObject({ code: 'blocked', facts: { status, retryAfterSeconds: 600 } });
  });

  test.each(['{"code":"Forbidden"}', '', 'The order code: 1010 is unknown'])(
    'is not any other 403: %s',
    async (body) => {
      const service = await serve(() => ({ status: 403, body }));
      const broker = brokerFor(service.origin);
      expect(await errorOf(broker.call(endpoints.getAccountSummary, {}, broker.context()))).toMatchObject({
        code: 'forbidden',
      });
    },
  );

  test('stops reads, writes and orders for ten minutes, and lets a cancellation pass', async () => {
    const service = await serve(({ method }, n) =>
      n === 0 || method === 'DELETE' ? { status: 403, body: 'error code: 1010' } : { body: summary },
    );
    const clock = quickClock();
    const broker = brokerFor(service.origin, { clock });
    const read = () => broker.call(endpoints.getAccountSummary, {}, broker.context());
    await errorOf(read());
    await clock.advance(minuteMs);
    expect(await errorOf(read())).toMatchObject({
      code: 'blocked',
      message: expect.stringMatching(/ blocks the address .+; nothing was sent\.$/),
      next: 'Call again in 9 min. A cancellation is still tried.',
      facts: { retryAfterSeconds: 540 },
    });
    expect(await errorOf(broker.call(endpoints.deletePie, { id: '7' }, broker.context()))).toMatchObject({
      code: 'blocked',
    });
    expect(await broker.place(limitOrder(), commit, broker.context())).toEqual({
      kind: 'not_connected',
      reason: expect.stringMatching(/ blocks the address .+\. Try again in 540 s\.$/),
    });
    expect(service.seen).toHaveLength(1);
    expect(await errorOf(broker.call(endpoints.cancelOrder, { id: '9' }, broker.context()))).toMatchObject({
      code: 'blocked',
    });
    expect(service.seen).toHaveLength(2);
    // The refused cancellation shows that the block lasts.
    await clock.advance(9.5 * minuteMs);
    expect(await errorOf(read())).toMatchObject({ code: 'blocked', facts: { retryAfterSeconds: 30 } });
    await clock.advance(minuteMs);
    expect((await read()).data).toMatchObject({ id: '1' });
  });

  test('ends when the service answers a cancellation', async () => {
    const service = await serve((_, n) => (n === 0 ? { status: 403, body: 'error code: 1010' } : { body: summary }));
    const broker = brokerFor(service.origin);
    const read = () => broker.call(endpoints.getAccountSummary, {}, broker.context());
    await errorOf(read());
    await broker.call(endpoints.cancelOrder, { id: '9' }, broker.context());
    expect((await read()).data).toMatchObject({ id: '1' });
  });

  test('rejects an order whose response shows it', async () => {
    const service = await serve(() => ({ status: 403, body: 'error code: 1010' }));
    const broker = brokerFor(service.origin);
    expect(await broker.place(limitOrder(), commit, broker.context())).toMatchObject({
      kind: 'answered',
      status: 403,
      isBlocked: true,
    });
  });
});

describe('a block that was seen', () => {
  const startAt = Date.UTC(2026, 0, 15, 15);

  function open() {
    const deps = { records: createMemoryRecords(), clock: createManualClock({ startAt }) };
    const sent: string[] = [];
    const send = (endpoint: Endpoint, isBlocked: boolean, change: Partial<PreparedRequest> = {}) =>
      stopWhileBlocked(deps)(async () => {
        sent.push(endpoint.id);
        return { status: 200, isBlocked } as HttpResponse;
      })({ endpoint, accountKey: 'account', path: endpoint.path, context: {}, ...change } as PreparedRequest);
    return { ...deps, deps, sent, send, seconds: (account = 'account') => getBlockSeconds(deps, account) };
  }

  test('lasts ten minutes, is counted in whole seconds, and concerns its account alone', async () => {
    const { deps, clock, seconds } = open();
    expect(await seconds()).toBeUndefined();
    await recordBlock(deps, 'account', { isBlocked: true });
    expect([await seconds(), await seconds('other')]).toEqual([600, undefined]);
    await clock.advance(1);
    expect(await seconds()).toBe(600);
    await clock.advance(599_998);
    expect(await seconds()).toBe(1);
    await clock.advance(1);
    expect(await seconds()).toBeUndefined();
  });

  test('of a clock that was set back does not last longer', async () => {
    const { deps, clock, records } = open();
    await recordBlock(deps, 'account', { isBlocked: true });
    const at = (now: number) => getBlockSeconds({ records, clock: { ...clock, now: () => now } }, 'account');
    // Clocks may differ by five seconds.
    expect([await at(startAt - 5_000), await at(startAt - 5_001)]).toEqual([605, undefined]);
  });

  test('begins again with each response that shows it, and ends with any other one', async () => {
    const { deps, clock, seconds, records } = open();
    await recordBlock(deps, 'account', { isBlocked: true });
    await clock.advance(400_000);
    await recordBlock(deps, 'account', { isBlocked: true });
    expect(await seconds()).toBe(600);
    await recordBlock(deps, 'account', { isBlocked: false });
    expect([await seconds(), await records.read('address-block', 'account')]).toEqual([undefined, undefined]);
  });

  test('stops all requests of the account but cancellations and files', async () => {
    const { send, sent } = open();
    await send(endpoints.listPositions, true);
    for (const endpoint of [endpoints.listPositions, endpoints.createPie, endpoints.deletePie])
      expect(await errorOf(send(endpoint, false))).toMatchObject({
        code: 'blocked',
        facts: { retryAfterSeconds: 600 },
      });
    await send(endpoints.listPositions, false, { accountKey: 'other' });
    await send(reportFile, false, { link: new URL('https://files.example/1.csv') });
    await send(endpoints.cancelOrder, true);
    expect(sent).toEqual(['listPositions', 'listPositions', reportFile.id, 'cancelOrder']);
  });

  test('is none of the service where it is of the host of a file', async () => {
    const { send, seconds } = open();
    await send(reportFile, true, { link: new URL('https://files.example/1.csv') });
    expect(await seconds()).toBeUndefined();
    // The file shows nothing of the service either.
    await send(endpoints.listPositions, true);
    await send(reportFile, false, { link: new URL('https://files.example/1.csv') });
    expect(await seconds()).toBe(600);
  });
});
