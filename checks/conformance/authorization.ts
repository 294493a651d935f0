/** The official suite’s scenarios for an authorization server, against the built program. This file plays the owner at the login page. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { request } from 'undici';
import { createSecurity } from '../../src/core/approval/enrollment/enrollment.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Journal } from '../../src/core/orders/intent/journal-port.ts';
import { createClient } from '../../src/features/oauth/web-client.ts';
import { openStateStore } from '../../test/support/state-store.ts';
import { within } from './command.ts';
import { launchIn, startHttpProcess } from './launch.ts';
import { judge, readScenarios, type SuiteResult } from './suite-result.ts';
import { suite } from './versions.ts';

const passphrase = 'only the owner of this run knows';
/** Of the program, and of the suite’s own callback: fixed, because the program must know its public address at the start. */
const ports = { server: 47_391, callback: 47_392 };
const scenarios = ['authorization-server-metadata-endpoint', 'authorization-code-grant'];
const runMs = 120_000;

export async function runAuthorization(folder: string): Promise<SuiteResult> {
  const origin = `http://localhost:${ports.server}`;
  const launch = await launchIn(folder);
  const clientId = await prepareOwner(launch.env.BROKER_STATE_DIR ?? folder);
  const env = { ...launch.env, BROKER_HTTP_PUBLIC_URL: origin };
  const server = await startHttpProcess(folder, { launch: { ...launch, env }, address: `127.0.0.1:${ports.server}` });
  const out = join(folder, 'results', 'authorization');
  try {
    const args = ['authorization', '--url', origin, '--client-id', clientId, '--resource', `${origin}/mcp`];
    const exitCode = await runSuite(folder, [...args, '-p', String(ports.callback), '-o', out], origin);
    const found = readScenarios(out, 'authorization-server');
    return judge({ scenarios: found, requiredNames: scenarios, requiredCount: scenarios.length, exitCode });
  } finally {
    await server.end();
  }
}

/** Enrols the passphrase, and returns the id of a client that the owner added. */
async function prepareOwner(stateDir: string): Promise<string> {
  const store = openStateStore(stateDir);
  const journal = store.journal as unknown as Journal;
  await createSecurity(journal, systemClock).enrol({ passphrase, approval: 'page', limits: {} });
  const redirects = [`http://127.0.0.1:${ports.callback}/callback`];
  const { row } = createClient('added', 'The official suite', redirects, systemClock.now(), false);
  await store.journal.change((tx) => tx.insertClient(row));
  await store.close();
  return row.id;
}

/** Runs the suite, and logs in at each address of the login page that it prints. */
async function runSuite(folder: string, args: readonly string[], origin: string): Promise<number | null> {
  const from = ['-y', '-p', suite.node, '-p', `${suite.name}@${suite.version}`, 'conformance'];
  const child = spawn('npx', [...from, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const done = new Set<string>();
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      for (const [address] of said.matchAll(/http:\/\/localhost:\d+\/oauth\/authorize\?[^\s"']+(?=\s)/g)) {
        if (done.has(address)) continue;
        done.add(address);
        void logIn(address, origin);
      }
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return within(runMs, 'The suite for authorization servers', ended).finally(() => child.kill('SIGKILL'));
}

/** What a browser does: opens the page, sends its form, and follows the redirect to the client. */
async function logIn(address: string, origin: string): Promise<void> {
  const page = await request(address);
  const html = await page.body.text();
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const form = new URLSearchParams({ passphrase, action: 'connect' });
  for (const [, name = '', value = ''] of hidden) form.set(name, value.replaceAll('&amp;', '&'));
  const cookie = String(page.headers['set-cookie']).split(';')[0] ?? '';
  const reply = await request(`${origin}/oauth/authorize`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, cookie },
    body: form.toString(),
  });
  await reply.body.dump();
  await (await request(String(reply.headers.location))).body.dump();
}
