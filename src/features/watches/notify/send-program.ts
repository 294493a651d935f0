/**
 * Runs the user's program for each notification, without a shell. The message is JSON on its standard input, and title,
 * text and urgency are variables. No part of it is an argument, which a program could read as an option or a command.
 */

import { spawn } from 'node:child_process';
import { platform } from 'node:process';
import { endGroup, withoutOwnVariables } from '../../../core/process/process-context.ts';
import type { RuntimeEnvironment } from '../../../core/settings/runtime-environment.ts';
import type { CommandLine } from '../../../core/settings/secrets.ts';
import { type Channel, DeliveryError, type Message } from './channel.ts';

export interface ProgramSetup {
  readonly command: CommandLine;
  /** The variables of this process. */
  readonly env: RuntimeEnvironment['env'];
  /** Replaces secrets in a text; the program does not receive a variable that has one. */
  readonly hide: (text: string) => string;
  /** The program is ended after this time (ms). */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 20_000;

export function createProgramChannel({ command, env, hide, timeoutMs = defaultTimeoutMs }: ProgramSetup): Channel {
  const inherited = Object.fromEntries(
    Object.entries(withoutOwnVariables(env)).filter(([, value]) => value !== undefined && hide(value) === value),
  );
  return {
    name: 'command',
    send: (message, signal) =>
      runProgram(command, { ...inherited, ...variablesOf(message) }, message, signal, timeoutMs),
  };
}

const variablesOf = ({ title, text, urgency }: Message) => ({
  NOTIFY_TITLE: title,
  NOTIFY_TEXT: text,
  NOTIFY_URGENCY: urgency,
});

/** Waits for the end of the program and not for that of its children, which can run on. Its output is dropped. */
function runProgram(
  [program, ...args]: CommandLine,
  env: Record<string, string | undefined>,
  message: Message,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  if (signal.aborted) return Promise.reject(new DeliveryError('command', 'cancelled'));
  const child = spawn(program, args, {
    // A group of its own, which ends with all of its processes. Windows has none.
    detached: platform !== 'win32',
    env,
    shell: false,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    const finish = (error?: DeliveryError) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      if (error) reject(error);
      else resolve();
    };
    const stop = (code: 'timeout' | 'cancelled') => {
      endGroup(child);
      finish(new DeliveryError('command', code));
    };
    const cancel = () => stop('cancelled');
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    signal.addEventListener('abort', cancel);
    child.on('error', ({ code }: NodeJS.ErrnoException) => {
      finish(new DeliveryError('command', code === 'EAGAIN' || code === 'ENOMEM' ? 'unavailable' : 'not_found'));
    });
    child.on('exit', (status) => {
      finish(status === 0 ? undefined : new DeliveryError('command', 'failed', { status: status ?? undefined }));
    });
    // A program that reads the variables alone closes its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(message)}\n`);
  });
}
