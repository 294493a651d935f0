/** The process: arguments and environment in, one exit code out. No other file uses `process`. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { main } from './cli/dispatch.ts';
import { log } from './core/log.ts';
import type { Screen } from './core/process/process-context.ts';
import { getMachineZone } from './core/text/dates.ts';

log.configure({
  write: (text) => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
  readFile,
});

// A signal from another program of this user would open Node's inspector, which can read keys and the next
// passphrase, or write a report that contains the environment. Windows has neither signal.
process.on('SIGUSR1', () => undefined);
if (process.report) process.report.reportOnSignal = false;

/** How long (ms) a process that ends with a fault may take to keep it. */
const keepFaultMs = 500;

/** Characters of a line where the stream has no width. */
const defaultColumns = 80;

const shutdown = new AbortController();
const onSignal = (act: () => void) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, act);
};
onSignal(() => shutdown.abort());
// When the reader of standard output closes the pipe, the program ends normally instead of crashing.
process.stdout.on('error', () => shutdown.abort());
// Without a reader of standard error, the log is lost and the work goes on.
process.stderr.on('error', () => undefined);

process.on('uncaughtException', (error) => {
  log.crash(error);
  // The audit trail gets the fault, unless the store is what failed.
  const exit = () => process.exit(70);
  setTimeout(exit, keepFaultMs);
  void log.settled().then(exit);
});

main({
  argv: process.argv.slice(2),
  env: process.env,
  platform: process.platform,
  print: (line) => void process.stdout.write(`${line}\n`),
  warn: (line) => void process.stderr.write(`${line}\n`),
  screens: { output: screenOf(() => process.stdout), errors: screenOf(() => process.stderr) },
  zone: getMachineZone,
  self: { command: process.execPath, args: process.argv.slice(1, 2) },
  machine: { node: process.versions.node, arch: process.arch, uid: process.geteuid?.() },
  shutdownSignal: shutdown.signal,
  processes: { pid: process.pid, getStartTime, pidNamespace: readOr('', () => readlinkSync('/proc/self/ns/pid')) },
  input: () => process.stdin,
  watchInput: () => {
    process.stdin.on('end', () => shutdown.abort());
    process.stdin.on('close', () => shutdown.abort());
  },
  exitSoon,
  forceExitOnNextSignal: () => onSignal(() => process.exit(1)),
  memoryBytes: () => process.memoryUsage.rss(),
  isInspected: () => readOr(false, () => process.getBuiltinModule('node:inspector').url() !== undefined),
  readFile,
  getFileMode: (path) => (process.platform === 'win32' ? undefined : statSync(path).mode & 0o777),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    log.crash(error);
    process.exitCode = 70;
    // Open handles would keep the process alive, and its host waiting.
    exitSoon();
  },
);

/** Read when it is asked for: a window changes its width, and a stream is not opened before it is needed. */
function screenOf(stream: () => NodeJS.WriteStream): Screen {
  return {
    get isTerminal() {
      return stream().isTTY === true;
    },
    get columns() {
      return stream().columns || defaultColumns;
    },
  };
}

function exitSoon(): void {
  setTimeout(() => process.exit(), 100);
}

function readFile(path: string): string | undefined {
  return readOr(undefined, () => readFileSync(path, 'utf8'));
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    // The system has no such file, or refuses to read it.
    return otherwise;
  }
}

/**
 * The start time of a process, if the system reports it; undefined when the process does not run. Systems reuse
 * process ids, so the id alone does not identify a process.
 */
function getStartTime(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  const stat = readOr('', () => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name in parentheses may contain any character, so the fields are read after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  return fields[19] ?? 'running';
}
