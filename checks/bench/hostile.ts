/** What hostile clients cost a server over HTTP: its memory, and the response time for another client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { statelessRequest, type Target } from '../../test/support/hostile-clients.ts';
import { attacks, durationMs } from './attacks.ts';
import { readPeakMegabytes, readWorkedMs } from './process-figures.ts';

export interface HostileFigures {
  readonly scenario: string;
  /** The most resident memory, in MB; undefined where the system does not report it. */
  readonly peakMegabytes: number | undefined;
  readonly worstAnswerMs: number;
  /** Of the slowest response time: how long the server had a processor. The rest went to other processes. */
  readonly serverMs: number | undefined;
  readonly answers: number;
  /** Requests of the good client that were refused or cut. */
  readonly failed: number;
}

const token = 'a-token-for-the-bench-0123456789abcdef';
/** Each on a server of its own, then one after the other on one server, and then all at once. */
export async function measureHostile(binary: string, only?: string): Promise<readonly HostileFigures[]> {
  const figures = [];
  for (const scenario of Object.keys(attacks))
    if (only === undefined || only === scenario) figures.push(await measureOne(binary, scenario));
  return figures;
}

async function measureOne(binary: string, scenario: string): Promise<HostileFigures> {
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
    const server = { port, token, pid: child.pid };
    await ask(server, true);
    const asking = new AbortController();
    const asked = Promise.all([keepAsking(server, true, asking.signal), keepAsking(server, false, asking.signal)]);
    const endAttack = await beginAttack(scenario, port);
    await pause(durationMs(scenario));
    asking.abort();
    const answers = (await asked).flat();
    const peakMegabytes = readPeakMegabytes(child.pid);
    await endAttack();
    const slowest = answers.reduce((most, one) => (one.ms > most.ms ? one : most));
    return {
      scenario,
      peakMegabytes,
      worstAnswerMs: slowest.ms,
      serverMs: slowest.serverMs,
      answers: answers.length,
      failed: answers.filter(({ status }) => status !== 200).length,
    };
  } finally {
    child.kill('SIGKILL');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** In another process: the hostile clients would delay the sending and reading of the good one. */
async function beginAttack(scenario: string, port: number): Promise<() => Promise<void>> {
  const args = ['scripts/run.mjs', 'checks/bench/attack.ts', scenario, String(port), token];
  const attack = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(attack, 'close');
  await once(attack.stdout, 'data');
  return async () => {
    attack.stdin.end();
    await ended;
  };
}

interface Server extends Target {
  readonly pid: number | undefined;
}

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly serverMs: number | undefined;
}

/** A new connection for each request, because an existing connection is the easy case. */
async function keepAsking(target: Server, withToken: boolean, signal: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!signal.aborted) {
    answers.push(await ask(target, withToken));
    await pause(50);
  }
  return answers;
}

/** Status 0 is a connection that was cut. */
function ask(target: Server, withToken: boolean): Promise<Answer> {
  const from = performance.now();
  const workedBefore = readWorkedMs(target.pid);
  return new Promise((resolve) => {
    const end = (status: number) => {
      const worked = readWorkedMs(target.pid);
      const serverMs = worked === undefined || workedBefore === undefined ? undefined : worked - workedBefore;
      resolve({ status, ms: performance.now() - from, serverMs });
    };
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
