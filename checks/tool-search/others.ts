/** The tools of other servers, as their packages from the npm registry list them. Nothing of them is kept. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Schema, Tool } from './rank.ts';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly args?: readonly string[];
}

export const otherBroker = 'interactive-brokers-mcp';

/** Another broker's server, one with market data, and three that many people have. */
const packages: readonly Package[] = [
  { name: otherBroker, version: '1.24.1' },
  { name: 'tradingview-mcp-server', version: '0.7.1' },
  { name: '@modelcontextprotocol/server-github', version: '2025.4.8' },
  { name: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'] },
  { name: '@playwright/mcp', version: '0.0.83' },
];

const mostMs = 30_000;

export async function fetchOthers(say: (line: string) => void): Promise<Tool[]> {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-tool-search-'));
  try {
    const wanted = packages.map(({ name, version }) => `${name}@${version}`);
    execFileSync('npm', [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--silent',
      '--prefix',
      folder,
      ...wanted,
    ]);
    const tools: Tool[] = [];
    for (const one of packages) {
      const listed = await listTools(folder, one).catch((error: Error) => {
        say(`${one.name}: ${error.message}`);
        return [];
      });
      say(`${one.name} ${one.version}: ${listed.length} tools`);
      tools.push(...listed);
    }
    return tools;
  } finally {
    endProcessesOf(folder);
    // What has just ended may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** One of the servers starts a gateway that outlives it. The folder is of this run alone. */
function endProcessesOf(folder: string): void {
  for (const id of existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      if (readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder)) process.kill(Number(id));
    } catch {
      // It ended in between.
    }
  }
}

async function listTools(folder: string, { name, args = [] }: Package): Promise<Tool[]> {
  const home = join(folder, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const program = typeof bin === 'string' ? bin : String(Object.values(bin)[0]);
  const client = new Client({ name: 'tool-search', version: '0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(home, program), ...args],
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
      stderr: 'ignore',
    }),
    { timeout: mostMs },
  );
  try {
    const { tools } = await client.listTools(undefined, { timeout: mostMs });
    return tools.map(({ name: tool, description = '', inputSchema }) => ({
      server: name.replace(/^.*\//, ''),
      instructions: client.getInstructions() ?? '',
      name: tool,
      description,
      searchHint: '',
      inputSchema: inputSchema as Schema,
    }));
  } finally {
    await client.close();
  }
}
