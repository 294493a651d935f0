/** A real program that keeps what it got: standard input, variables and arguments. */
// @module-tag process
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommandLine } from '../../../../src/core/settings/secrets.ts';
import type { Message } from '../../../../src/features/watches/notify/channel.ts';
import { createProgramChannel } from '../../../../src/features/watches/notify/send-program.ts';
import { failureOf } from './failure-of.ts';

const message: Message = { title: 'Order filled', text: 'Bought 1 share.\n$(touch owned) `id` "x"', urgency: 'normal' };
const never = new AbortController().signal;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a program of Node, and returns the command that runs it. */
function program(source: string, ...args: string[]): CommandLine {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, source);
  return [process.execPath, file, ...args];
}

const keeping = () => `
import { readFileSync, writeFileSync } from 'node:fs';
const input = readFileSync(0, 'utf8');
writeFileSync(${JSON.stringify(join(folder, 'got.json'))}, JSON.stringify({ input, args: process.argv.slice(2), env: process.env }));
console.log('output of the program'); console.error('error output of the program');`;

const readGot = () => JSON.parse(readFileSync(join(folder, 'got.json'), 'utf8'));

const channelOf = (command: CommandLine, env: Record<string, string> = {}, timeoutMs = 20_000) =>
  createProgramChannel({ command, env, hide: (text) => text.replaceAll('hunter22', '(hidden)'), timeoutMs });

test('a program gets the message as JSON on its input and in variables, and its own arguments alone', async () => {
  await channelOf(program(keeping(), '--title', '$NOTIFY_TITLE')).send(message, never);
  const { input, args, env } = readGot();
  expect([JSON.parse(input), args]).toEqual([message, ['--title', '$NOTIFY_TITLE']]);
  expect(env).toMatchObject({ NOTIFY_TITLE: message.title, NOTIFY_TEXT: message.text, NOTIFY_URGENCY: 'normal' });
  expect([existsSync(join(folder, 'owned')), existsSync('owned')]).toEqual([false, false]);
});

test('a program gets the variables of the user, without ours and without one that has a secret', async () => {
  const env = {
    LANG: 'C',
    DISPLAY: ':0',
    BROKER_API_KEY: 'a',
    BROKER_NOTIFY_MAIL_PASSWORD: 'b',
    BACKUP: 'key=hunter22',
    NOTIFY_TITLE: 'old',
  };
  await channelOf(program(keeping()), env).send(message, never);
  const names = Object.keys(readGot().env).filter((name) => !/^__CF|^SHLVL$|^_$|^PWD$/.test(name));
  expect(names.sort()).toEqual(['DISPLAY', 'LANG', 'NOTIFY_TEXT', 'NOTIFY_TITLE', 'NOTIFY_URGENCY']);
  expect(readGot().env.NOTIFY_TITLE).toBe('Order filled');
});

describe('a failure has a code', () => {
  test('an exit code', async () => {
    const failing = program(`console.log('hunter22'); console.error('hunter22'); process.exit(3);`);
    const failure = await failureOf(channelOf(failing).send(message, never));
    expect(failure).toMatchObject({ code: 'failed', mayHaveArrived: false, status: 3 });
    expect(failure.texts).not.toContain('hunter22');
  });

  test('a signal', async () => {
    const failure = await failureOf(
      channelOf(program(`process.kill(process.pid, 'SIGTERM');setInterval(() => {}, 1000)`)).send(message, never),
    );
    expect(failure).toMatchObject({ code: 'failed', mayHaveArrived: false, status: undefined });
  });

  test.each([
    ['a program that does not exist', () => '/nowhere/hunter22'],
    ['a file that is no program', () => join(folder, 'text')],
  ])('%s', async (_, nameOf) => {
    writeFileSync(join(folder, 'text'), 'text');
    const failure = await failureOf(channelOf([nameOf()]).send(message, never));
    expect(failure).toMatchObject({ code: 'not_found', mayHaveArrived: false });
    expect(failure.texts).not.toContain('hunter22');
  });

  test('a program that does not end is ended with the programs that it started', async () => {
    const file = join(folder, 'pids');
    const forking = program(`
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid);
      setInterval(() => {}, 1000);`);
    const ending = new AbortController();
    const sending = failureOf(channelOf(forking).send(message, ending.signal));
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8').includes(' '), { timeout: 15_000 })
      .toBe(true);
    ending.abort();
    expect(await sending).toMatchObject({ code: 'cancelled', mayHaveArrived: true });
    const pids = readFileSync(file, 'utf8').split(' ').map(Number);
    await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  });

  test('a program that takes too long', async () => {
    const failure = await failureOf(channelOf(program('setInterval(() => {}, 1000)'), {}, 300).send(message, never));
    expect(failure).toMatchObject({ code: 'timeout', mayHaveArrived: true });
  });

  test('a call that was cancelled before it began starts no program', async () => {
    const failure = await failureOf(channelOf(program(keeping())).send(message, AbortSignal.abort()));
    expect([failure.code, existsSync(join(folder, 'got.json'))]).toEqual(['cancelled', false]);
  });
});

test('a program that does not read its input, or prints without an end, is no failure', async () => {
  const long = { ...message, text: 'x'.repeat(3_000) };
  await channelOf(program('process.exit(0)')).send(long, never);
  await channelOf(program(`for (let n = 0; n < 2000; n++) console.log('x'.repeat(10_000))`)).send(long, never);
});

/** A process that has ended and waits for its parent does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    // It has ended.
    return false;
  }
}
