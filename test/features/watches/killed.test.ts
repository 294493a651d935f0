/**
 * 200 events in simulated time, watched by two processes that are killed at random steps, also while a receiver has the
 * message: by each way every event arrives at least once, none twice within an hour, and nothing else arrives. Processes,
 * databases and receivers are real.
 */
// @module-tag process
// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleScript } from '../../../scripts/bundle-script.mjs';
import { databases, tempFolder } from '../../core/store/support.ts';
import { startSmtpReceiver } from '../../support/smtp-receiver.ts';
import { type HttpReceived, startHttpReceiver } from './notify/http-receiver.ts';
import { count, createRandom, makeWorld } from './small-world.ts';
import { day, hour, start } from './support.ts';
import type { RoundRequest } from './watching-process.ts';

let program: Awaited<ReturnType<typeof bundleScript>>;
beforeAll(async () => {
  program = await bundleScript('test/features/watches/watching-process.ts');
});
afterAll(() => program.remove());

interface Watcher {
  readonly name: string;
  readonly child: ChildProcess;
  readonly lines: Interface;
  readonly ended: Promise<unknown>;
}

const channels = ['url', 'mail'] as const;
type Way = (typeof channels)[number];

/** The receivers of both ways. `arrive` says what a message of a process was about. */
async function receive(random: () => number, folder: string, kill: (name: string) => void) {
  const arrivals: { readonly way: Way; readonly item: string; readonly at: number }[] = [];
  const wrong: unknown[] = [];
  let now = start;
  const readItems = (name: string, way: Way): readonly string[] => {
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { channel: Way; items: readonly string[] });
    return entries.findLast(({ channel }) => channel === way)?.items ?? [];
  };
  /** Returns what the receiver does with the message. */
  const take = (name: string, way: Way): 'refuse' | 'keep' | 'kill' | 'break' => {
    const outcome = random();
    if (outcome < 0.1) return 'refuse';
    for (const item of readItems(name, way)) arrivals.push({ way, item, at: now });
    if (outcome >= 0.25) return 'keep';
    if (outcome >= 0.18) return 'break';
    kill(name);
    return 'kill';
  };

  const http = await startHttpReceiver(({ url = '' }, response: ServerResponse) => {
    const name = url.slice(1);
    const items = readItems(name, 'url');
    const { body } = http.received.at(-1) as HttpReceived;
    const { text, title } = body as { text: string; title: string };
    const says =
      items.length === 1
        ? new RegExp(`\\bT${items[0]?.split(':')[1]}\\b`).test(text)
        : title.startsWith(`${items.length} `);
    if (!says) wrong.push([items, title, text]);
    const outcome = take(name, 'url');
    if (outcome === 'refuse') response.writeHead(503).end();
    else if (outcome === 'keep') response.writeHead(204).end();
    else response.destroy();
  });

  const names = new WeakMap<object, string>();
  const mail = await startSmtpReceiver({
    respond: (verb, line, socket) => {
      if (verb === 'RCPT') names.set(socket, /<(.*)@/.exec(line)?.[1] ?? '');
      if (verb !== 'END') return undefined;
      const outcome = take(names.get(socket) ?? '', 'mail');
      if (outcome === 'refuse') return '451 later';
      if (outcome !== 'keep') socket.destroy();
      return undefined;
    },
  });

  return {
    ...{ http, mail, arrivals, wrong },
    setTime: (at: number) => {
      now = at;
    },
    /** Resolves when nothing more of a process that ended can arrive. */
    drain: () => expect.poll(async () => (await http.countOpen()) + mail.countOpen(), { interval: 1 }).toBe(0),
  };
}

test.each(databases.map(([name, make], index) => [name, index + 11, make] as const))(
  'with %s, seed %i',
  async (_, seed, make) => {
    const random = createRandom(seed);
    const { address } = await make();
    const folder = tempFolder();
    const watchers: Watcher[] = [];
    const kill = (name: string) => void watchers.find((watcher) => watcher.name === name)?.child.kill('SIGKILL');
    const receivers = await receive(random, folder, kill);
    const { http, mail, arrivals } = receivers;
    let started = 0;
    let killed = 0;
    const launch = (): Watcher => {
      const name = `w${started++}`;
      const url = `http://127.0.0.1:${http.port}/${name}`;
      const args = [address, String(seed), url, String(mail.port), name, join(folder, name)];
      const child = spawn(process.execPath, [program.outfile, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin?.on('error', () => undefined);
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      return { name, child, lines, ended: once(child, 'exit') };
    };
    const isOver = ({ child }: Watcher) => child.exitCode !== null || child.signalCode !== null;
    /** A spare one starts while the others work. */
    let spare = launch();
    watchers.push(launch(), launch());
    onTestFinished(() => {
      for (const { child } of [...watchers, spare]) child.kill('SIGKILL');
    });
    const ready = new Map<string, Promise<unknown>>();
    const waitFor = (watcher: Watcher) => {
      const waiting = ready.get(watcher.name) ?? once(watcher.lines, 'line');
      ready.set(watcher.name, waiting);
      return waiting;
    };
    for (const watcher of [spare, ...watchers]) void waitFor(watcher);
    const runRound = async (index: number, request: RoundRequest) => {
      const watcher = watchers[index] as Watcher;
      await waitFor(watcher);
      const done = Promise.race([once(watcher.lines, 'line'), watcher.ended]);
      watcher.child.stdin?.write(`${JSON.stringify(request)}\n`);
      await done;
    };

    const all = makeWorld(createRandom(seed));
    const wanted = all.slice(0, count).map(({ key }) => key);
    const arrivedBy = (way: Way) => new Set(arrivals.filter((one) => one.way === way).map(({ item }) => item));
    const isComplete = () => channels.every((way) => arrivedBy(way).size >= count);
    let now = start;
    await runRound(0, { now, diesAt: 0 });
    while (now < start + 2 * day || (!isComplete() && now < start + 6 * day)) {
      now += Math.floor(random() * 40 * 60_000);
      receivers.setTime(now);
      const stepOfDeath = () => (random() < 0.12 ? 1 + Math.floor(random() * 16) : 0);
      const requests = [0, 1].map(() => ({ now, diesAt: stepOfDeath() }));
      await Promise.all(requests.map((request, index) => runRound(index, request)));
      await receivers.drain();
      for (const [index, watcher] of watchers.entries()) {
        // A kill by a receiver is seen a moment later.
        if (watcher.child.killed) await watcher.ended;
        if (!isOver(watcher)) continue;
        expect(watcher.child.signalCode).toBe('SIGKILL');
        killed++;
        watchers[index] = spare;
        spare = launch();
        void waitFor(spare);
      }
    }

    for (const way of channels) expect([...arrivedBy(way)].toSorted(), way).toEqual(wanted.toSorted());
    const earlier = new Map<string, number>();
    const early: unknown[] = [];
    let repeated = 0;
    for (const arrival of arrivals) {
      const key = `${arrival.way} ${arrival.item}`;
      const before = earlier.get(key);
      if (before !== undefined) repeated++;
      if (before !== undefined && arrival.at - before < hour) early.push(arrival);
      earlier.set(key, arrival.at);
    }
    expect([early, receivers.wrong]).toEqual([[], []]);
    // The test means nothing without kills after which a message is sent again.
    expect(killed).toBeGreaterThan(20);
    expect(repeated).toBeGreaterThan(0);
  },
);
