// @module-tag server
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../src/simulator/index.ts';
import { setup } from '../support.ts';

type Place = Omit<Fault, 'endpoint'>;

async function withFault(fault: Place) {
  const all = await setup({ limitScale: 1 });
  all.simulator.faults.push({ endpoint: 'placeMarketOrder', ...fault });
  const booked = () =>
    all.simulator.groundTruth().pendingOrders.length + all.simulator.groundTruth().history.length - 600;
  return { ...all, booked, place: () => all.market('QVIGL', 3) };
}

describe('a fault', () => {
  test.each([
    ['resetBeforeRead', 0],
    ['resetAfterRead', 1],
    ['truncatedBody', 1],
  ] as const)('%s breaks the connection, with %i order booked', async (kind, count) => {
    const { place, booked, simulator } = await withFault({ kind });
    await expect(place()).rejects.toThrow();
    expect(booked()).toBe(count);
    expect(simulator.log.at(-1)).toMatchObject({ fault: kind, endpoint: 'placeMarketOrder' });
    expect(simulator.log.at(-1)?.orderId !== undefined).toBe(count === 1);
    expect(simulator.faults).toEqual([]);
    expect((await place()).status).toBe(200);
  });

  test.each([
    ['hangBeforeApply', 0],
    ['hang', 1],
  ] as const)('%s sends nothing until its time is over, with %i order booked', async (kind, count) => {
    const { place, booked, clock, simulator } = await withFault({ kind, ms: 20_000 });
    const placing = place().catch((error: Error) => error);
    await untilSleeping(clock);
    expect(booked()).toBe(count);
    await clock.advance(20_000);
    expect(await placing).toBeInstanceOf(Error);
    expect(simulator.log.at(-1)?.status).toBe(0);
  });

  test('slowAnswer is late but complete, and slowBody comes in pieces', async () => {
    for (const kind of ['slowAnswer', 'slowBody'] as const) {
      const { place, clock } = await withFault({ kind, ms: 5000 });
      const placing = place();
      for (let step = 0; step < (kind === 'slowBody' ? 10 : 1); step++) {
        await untilSleeping(clock);
        await clock.advance(kind === 'slowBody' ? 500 : 5000);
      }
      expect((await placing).json).toMatchObject({ quantity: 3 });
    }
  });

  test.each([
    [{ kind: 'malformedJson' }, 1, 200],
    [{ kind: 'empty2xx' }, 1, 200],
    [{ kind: 'empty2xx', status: 204 }, 1, 204],
    [{ kind: 'status' }, 0, 500],
    [{ kind: 'status', status: 409 }, 0, 409],
    [{ kind: 'statusAfterApply', status: 502 }, 1, 502],
    [{ kind: 'redirect' }, 0, 307],
    [{ kind: 'rateLimitedWithoutHeaders' }, 0, 429],
  ] as const)('%o books %i order and returns %i', async (fault, count, status) => {
    const { simulator, booked } = await withFault(fault);
    // By hand, as a client would see it byte by byte.
    const answer = await byHand(simulator.origin, '{"ticker":"QVIGL","quantity":3}');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(booked()).toBe(count);
    expect(simulator.log.at(-1)).toMatchObject({ status });
    if (fault.kind === 'redirect') expect(answer.toLowerCase()).toContain('location: /api/v0/equity/orders/market');
    if (fault.kind === 'rateLimitedWithoutHeaders') expect(answer).not.toContain('x-ratelimit');
    else expect(answer).toContain('x-ratelimit-used: 1');
    if (fault.kind === 'malformedJson') expect(() => JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toThrow();
  });

  test('hugeBody sends as much as it is set to', async () => {
    const { place, booked } = await withFault({ kind: 'hugeBody', bytes: 1_000_000 });
    expect((await place()).text.length).toBeGreaterThan(1_000_000);
    expect(booked()).toBe(1);
  });

  test('orderWithoutId and alteredEcho spoil the response for a booked order', async () => {
    const { place, booked, simulator } = await withFault({ kind: 'orderWithoutId' });
    expect((await place()).json.id).toBeUndefined();
    expect(simulator.log.at(-1)?.orderId).toBeDefined();
    simulator.faults.push({ endpoint: '*', kind: 'alteredEcho' });
    expect((await place()).json).toMatchObject({ quantity: 93 });
    expect(booked()).toBe(2);
  });

  test('waits for its turn, and happens as often as it is set to', async () => {
    const { place, get } = await withFault({ kind: 'status', status: 503, after: 1, times: 2 });
    expect((await get('/equity/account/summary')).status).toBe(200);
    expect([await place(), await place(), await place(), await place()].map(({ status }) => status)).toEqual([
      200, 503, 503, 200,
    ]);
  });

  test('is not used up by a request over its limit', async () => {
    const { simulator, get } = await setup({ limitScale: 1 });
    await get('/equity/account/summary');
    simulator.faults.push({ endpoint: 'getAccountSummary', kind: 'status' });
    expect((await get('/equity/account/summary')).status).toBe(429);
    expect(simulator.faults).toHaveLength(1);
  });

  test('does not keep the simulator from closing', async () => {
    const { place, simulator } = await withFault({ kind: 'hang' });
    const placing = place().catch((error: Error) => error);
    while (simulator.log.at(-1)?.orderId === undefined) await new Promise((resolve) => setImmediate(resolve));
    await simulator.close();
    expect(await placing).toBeInstanceOf(Error);
  });
});

async function untilSleeping(clock: { readonly sleepers: number }) {
  while (clock.sleepers === 0) await new Promise((resolve) => setImmediate(resolve));
}

function byHand(origin: string, body: string): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      const key = Buffer.from('a-key:a-secret').toString('base64');
      socket.write(
        `POST /api/v0/equity/orders/market HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Basic ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
