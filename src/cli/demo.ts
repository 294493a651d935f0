/** A readable session: starts this program as a server and calls it as a client, with real results. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import type { Command } from './command.ts';
import { playDemo } from './demo-session.ts';
import { describeScreen } from './output.ts';
import { connectStdio } from './stdio-client.ts';

export const demoCommand: Command = async (_input, terminal) => {
  const stateDir = await mkdtemp(join(tmpdir(), 'brokerage-mcp-demo-'));
  const client = await connectStdio(
    terminal.self.command,
    [...terminal.self.args, '--env', 'sandbox', '--state-dir', stateDir],
    withoutSettings(terminal.env),
  );
  try {
    await playDemo(client, { ...describeScreen(terminal, systemClock), print: terminal.print });
    return 0;
  } finally {
    await client.close();
    await rm(stateDir, { recursive: true, force: true });
  }
};

/** Removes the user's settings: the demo must always use the sandbox. */
const withoutSettings = (env: ProcessContext['env']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));
