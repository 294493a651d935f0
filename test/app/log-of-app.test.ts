import { expect, test } from 'vitest';
import { log } from '../../src/core/log.ts';
import { takeLog } from '../support/faults.ts';
import { order, setup } from '../support/setup.ts';

// @module-tag server

const faultWith = (message: string) => {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at checkCash (/app/src/core/orders/risk/risk-rules.ts:1:1)`;
  return error;
};
const kept = { task: 'a task', code: 'TypeError', place: 'checkCash (src/core/orders/risk/risk-rules.ts)' };

test('a fault is kept in the audit trail with code and place, and get_server_status names the newest', async () => {
  const { call, composed, clock } = await setup();
  expect((await call('get_server_status')).body.newestFault).toBeUndefined();
  log.fault('another task', new Error('x'));
  clock.advance(1_000);
  log.fault('a task', faultWith('a balance of 12'));
  await log.settled();
  const { audit } = composed.services;
  const [row] = await audit.last(1);
  expect(row).toMatchObject({ kind: 'fault', environment: 'demo', data: kept });
  expect(JSON.stringify(row)).not.toContain('balance');
  expect(await audit.verify()).toMatchObject({ holds: true });
  const at = new Date(row?.at ?? 0).toISOString();
  expect((await call('get_server_status')).body.newestFault).toEqual({ at, ...kept });
  takeLog();
});

test('the key of the account is hidden in a fault as it is in a response', async () => {
  const { call } = await setup();
  await call('get_account_summary');
  const pair = Buffer.from('test-key:test-secret').toString('base64');
  log.fault('a task', faultWith(`sent test-secret as ${pair}`));
  expect(takeLog()).toMatchObject([{ ...kept, message: 'sent (hidden) as (hidden)' }]);
});

test('the key is hidden from the first request on, though no response ever came', async () => {
  const { call, simulator } = await setup();
  await simulator.close();
  expect((await call('get_account_summary')).body.code).toBe('unreachable');
  log.fault('a task', faultWith('sent test-secret'));
  expect(takeLog()).toMatchObject([{ ...kept, message: 'sent (hidden)' }]);
});

test('each app of the process keeps a fault, until it is closed', async () => {
  const first = await setup();
  const second = await setup({ beside: first });
  log.fault('a task', faultWith('x'));
  await log.settled();
  await second.composed.close();
  log.fault('another task', Object.assign(faultWith('x'), { code: 'OTHER' }));
  await log.settled();
  const faults = (await first.composed.services.audit.last(10)).filter(({ kind }) => kind === 'fault');
  expect(faults.map(({ data }) => (data as { task: string }).task).sort()).toEqual([
    'a task',
    'a task',
    'another task',
  ]);
  takeLog();
});

test('debug tells requests, changes of an order and leases, and no body, key or amount', async () => {
  const { call } = await setup({ config: { logLevel: 'debug' } });
  const placed = await call('place_limit_order', order);
  expect(placed.body.outcome).toBe('placed');
  const lines = takeLog();
  const { intentId, orderId } = placed.body;
  expect(
    lines.filter(({ event }) => event === 'request').map(({ method, path, status }) => [method, path, status]),
  ).toEqual(
    expect.arrayContaining([
      ['GET', '/equity/account/summary', 200],
      ['POST', '/equity/orders/limit', 200],
    ]),
  );
  for (const { event, ms, slotWaitMs } of lines)
    if (event === 'request') expect([typeof ms, typeof slotWaitMs]).toEqual(['number', 'number']);
  expect(lines.filter(({ kind, intentId: id }) => kind === 'state' && id === intentId)).toMatchObject([
    { from: 'DRAFT', state: 'APPROVED' },
    { from: 'APPROVED', state: 'SENDING' },
    { from: 'SENDING', state: 'PLACED', orderId },
  ]);
  expect(lines.filter(({ event }) => event === 'lease').map(({ action }) => action)).toEqual(
    expect.arrayContaining(['taken', 'released']),
  );
  expect(JSON.stringify(lines)).not.toMatch(/test-key|test-secret|limitPrice|quantity|totalValue/);
});
