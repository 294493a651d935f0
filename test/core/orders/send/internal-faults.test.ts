/** Faults of this program while it sends: what is said of the order, and that nothing says more than was seen. */
import { expect, test } from 'vitest';
import type { Broker, PlaceResult } from '../../../../src/core/broker/types.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import { toOutcome } from '../../../../src/core/orders/intent/outcome.ts';
import { refusedByStore } from '../../../../src/core/orders/place-result.ts';
import { markUnknown } from '../../../../src/core/orders/reconcile/reconcile-schedule.ts';
import { createSender } from '../../../../src/core/orders/send/send-order.ts';
import { takeLog } from '../../../support/faults.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { approvedOrder as approved, facts, openJournal, startAt } from './approved-order.ts';

/** Sends one order through a broker that behaves as the test says. */
async function send(place: Broker['place']): Promise<Intent> {
  const clock = createManualClock({ startAt, auto: true });
  const journal = await openJournal(clock);
  await journal.change((tx) => tx.insert(approved));
  const sender = createSender({
    journal,
    clock,
    processes: { self: 'test', isAlive: () => true },
    settings: { environment: 'demo', origin: 'https://demo', liveTrading: false, haltFile: () => false } as never,
    configuredLimits: {},
    accountKey: async () => 'account',
    broker: { place } as Broker,
    turns: { inTurn: (_, __, ___, work) => work() },
  });
  return sender.send(approved, facts, { priority: 'place', deadlineAt: startAt + 50_000 });
}

test('a fault after the commit leaves the order unknown, and is not blamed on the connection or on a process', async () => {
  const intent = await send(async (_, commit) => {
    await commit();
    return {
      kind: 'answered',
      get status(): never {
        throw new TypeError('planted');
      },
    } as unknown as PlaceResult;
  });
  expect(intent.state).toBe('UNKNOWN');
  expect(intent.search).toBeDefined();
  expect(intent.reason).toBe('brokerage-mcp could not read the response, because of an error of its own.');
  expect(takeLog()).toMatchObject([{ task: 'read the response to an order', code: 'TypeError' }]);
});

test('a fault before the commit sends nothing, and gives no advice about the connection', async () => {
  const intent = await send(async () => {
    throw new TypeError('planted');
  });
  expect(intent.state).toBe('NOT_SENT');
  const { outcome, next, reason } = toOutcome(intent, startAt);
  expect([outcome, reason]).toEqual([
    'not_sent',
    'brokerage-mcp failed before the order was sent, by an error of its own.',
  ]);
  expect(next).not.toMatch(/connection/);
  expect(takeLog()).toMatchObject([{ task: 'send an order', code: 'TypeError' }]);
});

test.each([
  [true, 'The process that was sending the order has not recorded a response in time.'],
  [false, 'The process that was sending the order ended before it recorded a response.'],
])('an order given up while its sender is alive (%s) says which of the two was seen', async (isAlive, reason) => {
  const journal = await openJournal(createManualClock({ startAt }));
  const sending: Intent = { ...approved, state: 'SENDING', sender: 'sender', sentAt: startAt };
  const row = await journal.change(async (tx) => {
    await tx.insert(sending);
    await markUnknown(tx, sending, { self: 'test', isAlive: () => isAlive }, startAt);
    return tx.find(sending.id);
  });
  expect(row).toMatchObject({ state: 'UNKNOWN', reason });
});

test('an internal refusal does not promise details that no tool has', () => {
  const refused = refusedByStore(new TypeError('planted'), 'a'.repeat(32));
  expect(refused.rule).toBe('internal');
  expect(refused.next).not.toMatch(/get_server_status/);
  expect(takeLog()).toMatchObject([{ task: 'place an order', code: 'TypeError' }]);
});
