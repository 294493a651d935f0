/** What hostile clients do to a server over HTTP. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  clientOf,
  deepBody,
  type HostileClient,
  halfBodies,
  halfSent,
  openSession,
  repeated,
  silent,
  type Target,
  unread,
  wideBody,
} from '../../test/support/hostile-clients.ts';

/** The largest body that a server accepts. */
const largestBody = 96 * 1024;

const cancelledCalls = async (target: Target): Promise<HostileClient> => {
  const sockets: Socket[] = [];
  const cancelCalls = async (count: number) => {
    const session = await openSession(target, sockets);
    for (let id = 1; id <= count; id++) {
      const params = { name: 'get_order', arguments: { orderId: '1', waitSeconds: 50 } };
      void session.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
      await pause(20);
      await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
  };
  await Promise.all([cancelCalls(200), ...Array.from({ length: 63 }, () => cancelCalls(1))]);
  return clientOf(sockets);
};

const unreadStreams = async (target: Target): Promise<HostileClient> => {
  const sockets: Socket[] = [];
  for (let count = 0; count < 300; count += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const session = await openSession(target, sockets);
        await session.listen();
        await session.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      }),
    );
  return clientOf(sockets);
};

type Single = (target: Target) => HostileClient | Promise<HostileClient>;
type Attack = (target: Target) => unknown;

const single: Readonly<Record<string, Single>> = {
  none: () => clientOf([]),
  'half-sent requests': (target) => halfSent(target, 700),
  'silent sockets': (target) => silent(target, 700),
  'half-sent bodies': (target) => halfBodies(target, 256, largestBody),
  'unread streams': unreadStreams,
  'deep JSON': (target) => repeated(target, 40, deepBody(largestBody), 20),
  'wide JSON': (target) => repeated(target, 40, wideBody(largestBody), 20),
  'pipelined unread answers': (target) => unread(target, 60, 400),
  'cancelled calls': cancelledCalls,
};

const scenarioMs = 8_000;
const eachMs = 3_000;

/** On one server, each for a while: what earlier clients left behind is there for the next. */
const oneAfterTheOther: Attack = async (target) => {
  for (const attack of Object.values(single)) {
    const attacking = Promise.resolve(attack(target));
    await pause(eachMs);
    void attacking.then(({ close }) => close());
  }
};

const together: Attack = async (target) => {
  await Promise.all(Object.values(single).map((attack) => attack(target)));
};

/** By scenario: each alone, then one after the other, and then all at once. */
export const attacks: Readonly<Record<string, Attack>> = {
  ...single,
  'one after the other': oneAfterTheOther,
  'all together': together,
};

export const durationMs = (scenario: string): number =>
  attacks[scenario] === oneAfterTheOther ? eachMs * Object.keys(single).length : scenarioMs;
