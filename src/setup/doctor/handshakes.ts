import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOf } from '../../core/text/count-of.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { type HandshakeResult, performHandshake, type Revision, revisions } from './handshake-client.ts';

const timeoutMs = 6_000;
/** Warn above this time (ms): one host times out after ten seconds and starts several servers at once. */
const slowMs = 4_000;
/** Average for names, sentences and JSON Schema as used here; a test compares it with a real tokenizer. */
const charactersPerToken = 4.4;

/** Starts this program as a host does, with both handshakes that hosts use, and lists the tools. */
export async function checkHandshakes(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const revision of revisions) found.push(await checkOne(context, revision, signal));
  return found;
}

async function checkOne(context: DoctorContext, revision: Revision, signal: AbortSignal): Promise<Finding> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.round(timeoutMs * context.timeScale))]);
  const way = `${revision} (${revision === '2025-11-25' ? 'initialize' : 'server/discover'})`;
  try {
    return judge(way, await performHandshake(toChildCommand(context), revision, inTime));
  } catch (error) {
    return fault(
      `${way}: ${(error as Error).message}.`,
      'Start it by hand and read its output: brokerage-mcp --env sandbox; then reinstall it.',
    );
  }
}

/**
 * Starts a server with the tools of this configuration only, without key and store. With the real ones, it would
 * continue the open orders of an earlier server.
 */
function toChildCommand({ terminal, config }: DoctorContext) {
  const nowhere = join(tmpdir(), `brokerage-mcp-doctor-${randomBytes(8).toString('hex')}`);
  const env = Object.entries(terminal.env).filter(([name]) => !name.startsWith('BROKER_'));
  const args = ['--env', config?.environment ?? 'sandbox', '--state-dir', nowhere];
  if (config) args.push('--toolsets', config.toolsets.join(','), ...(config.readOnly ? ['--read-only'] : []));
  return {
    command: terminal.self.command,
    args: [...terminal.self.args, ...args],
    env: { ...Object.fromEntries(env), BROKER_CONFIG_DIR: nowhere },
  };
}

function judge(way: string, { tools, listedMs, strayLines }: HandshakeResult): Finding {
  if (strayLines > 0)
    return fault(
      `${way}: standard output carries ${countOf(strayLines, 'line')} outside the protocol, which MCP hosts cannot read.`,
      'Find what writes them (NODE_OPTIONS, a wrapper around node) and redirect it to standard error.',
    );
  const seen = JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  const says = `${way}: ${countOf(tools.length, 'tool')}, listed ${Math.round(listedMs)} ms after the start, about ${Math.round(seen.length / charactersPerToken)} tokens (one for ${charactersPerToken} characters).`;
  if (listedMs < slowMs) return ok(says);
  return warning(
    `${says} That is slow: some hosts give up after ten seconds.`,
    'Configure the host to start the installed file with node instead of npx, and check what else keeps the machine busy.',
  );
}
