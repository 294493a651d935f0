/** The built program as a user starts it, in the sandbox: each time with folders of its own. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { within } from './command.ts';

const binary = resolve('dist/brokerage-mcp.cjs');
const startMs = 20_000;
const endMs = 8_000;

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Below `folder`, so that one removal takes them all. */
export async function launchIn(folder: string): Promise<Launch> {
  const home = await mkdtemp(join(folder, 'home-'));
  return {
    command: process.execPath,
    args: [binary],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      BROKER_STATE_DIR: join(home, 'state'),
      BROKER_CONFIG_DIR: join(home, 'config'),
    },
  };
}

export interface HttpProcess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Stops it, and waits; kills it when it does not end. */
  end(): Promise<void>;
}

/** Over HTTP, with a token. Throws with its output when it does not serve in time. */
export async function startHttpProcess(
  folder: string,
  { launch, address = '127.0.0.1:0' }: { readonly launch?: Launch; readonly address?: string } = {},
): Promise<HttpProcess> {
  const { command, args, env } = launch ?? (await launchIn(folder));
  const token = randomBytes(32).toString('hex');
  const child = spawn(command, [...args, '--http', address], {
    env: { ...env, BROKER_HTTP_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const serving = new Promise<string>((done, fail) => {
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      const [, url] = /serving MCP \(sandbox\) at (\S+)\n/.exec(said) ?? [];
      if (url) done(url);
    });
    void ended.then(() => fail(new Error(`It ended before it served: ${said}`)));
  });
  const end = async () => {
    child.kill('SIGTERM');
    await within(endMs, 'The server over HTTP', ended).catch(kill);
    await ended;
    process.off('exit', kill);
  };
  try {
    const url = await within(startMs, `The server over HTTP (${said})`, serving);
    return { url, headers: { authorization: `Bearer ${token}` }, end };
  } catch (error) {
    await end();
    throw error;
  }
}
