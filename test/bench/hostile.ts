/** What clients that mean harm cost a server over HTTP: its memory, and the time in which another client is answered. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  statelessRequest,
  type Target,
  unread,
  wideBody,
} from '../support/hostile-clients.ts';

export interface HostileFigures {
  readonly scenario: string;
  /** The most resident memory, in MB; undefined where the system does not tell it. */
  readonly peakMegabytes: number | undefined;
  readonly worstAnswerMs: number;
  readonly answers: number;
  /** Requests of the good client that were refused or cut. */
  readonly failed: number;
}

const token = 'a-token-for-the-bench-0123456789abcdef';
const scenarioMs = 8_000;
/** As large as a server takes. */
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

type Attack = (target: Target) => HostileClient | Promise<HostileClient>;

const attacks: Readonly<Record<string, Attack>> = {
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

const eachMs = 3_000;

/** On one server, each for a while: what the ones before left behind is there for the next. */
const oneAfterTheOther: Attack = async (target) => {
  for (const attack of Object.values(attacks)) {
    const attacking = Promise.resolve(attack(target));
    await pause(eachMs);
    void attacking.then(({ close }) => close());
  }
  return clientOf([]);
};

const together: Attack = async (target) => {
  const all = await Promise.all(Object.values(attacks).map((attack) => attack(target)));
  return {
    open: () => all.reduce((sum, { open }) => sum + open(), 0),
    close: () => {
      for (const { close } of all) close();
    },
  };
};

/** Each on a server of its own, then one after the other on one server, and then all at once. */
export async function measureHostile(binary: string, only?: string): Promise<readonly HostileFigures[]> {
  const figures = [];
  for (const [scenario, attack] of Object.entries({
    ...attacks,
    'one after the other': oneAfterTheOther,
    'all together': together,
  }))
    if (only === undefined || only === scenario) figures.push(await measureOne(binary, scenario, attack));
  return figures;
}

async function measureOne(binary: string, scenario: string, attack: Attack): Promise<HostileFigures> {
  const home = mkdtempSync(join(tmpdir(), 'brokerage-mcp-hostile-'));
  const child = spawn(process.execPath, [binary, '--http', '127.0.0.1:0'], {
    env: { PATH: process.env.PATH, HOME: home, BROKER_STATE_DIR: home, BROKER_HTTP_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const port = await new Promise<number>((resolve) =>
      child.stderr.on('data', (piece: Buffer) => {
        const [, found] = /:(\d+)\/mcp\n/.exec(piece.toString()) ?? [];
        if (found) resolve(Number(found));
      }),
    );
    const target = { port, token };
    await ask(target, true);
    const asking = new AbortController();
    const asked = Promise.all([keepAsking(target, true, asking.signal), keepAsking(target, false, asking.signal)]);
    const attacking = Promise.resolve(attack(target));
    await pause(attack === oneAfterTheOther ? eachMs * Object.keys(attacks).length : scenarioMs);
    asking.abort();
    const answers = (await asked).flat();
    const peakMegabytes = peakOf(child.pid);
    void attacking.then(({ close }) => close());
    return {
      scenario,
      peakMegabytes,
      worstAnswerMs: Math.max(...answers.map(({ ms }) => ms)),
      answers: answers.length,
      failed: answers.filter(({ status }) => status !== 200).length,
    };
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

interface Answer {
  readonly status: number;
  readonly ms: number;
}

/** A new connection for each question, because a connection that is there already is the easy case. */
async function keepAsking(target: Target, withToken: boolean, signal: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!signal.aborted) {
    answers.push(await ask(target, withToken));
    await pause(50);
  }
  return answers;
}

/** Status 0 is a connection that was cut. */
function ask(target: Target, withToken: boolean): Promise<Answer> {
  const from = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - from });
    const text = statelessRequest(target, 'tools/call', { name: 'get_server_status', arguments: {} });
    const [head = '', body] = text.split('\r\n\r\n');
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    const asked = withToken
      ? request({ port: target.port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers, agent: new Agent() })
      : request({ port: target.port, host: '127.0.0.1', path: '/health', agent: new Agent() });
    asked.setTimeout(20_000, () => asked.destroy());
    asked.once('error', () => end(0));
    asked.once('response', (response) => {
      response.resume().once('end', () => {
        end(response.statusCode ?? 0);
        asked.destroy();
      });
    });
    asked.end(withToken ? body : undefined);
  });
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}
