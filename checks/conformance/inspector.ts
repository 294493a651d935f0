/** The Inspector's command line, which is a client of its own: one process for each request. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tools } from '../../src/app/registry.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import { toolsets } from '../../src/core/settings/config.ts';
import { listPrompts } from '../../src/features/guides/prompts.ts';
import { type Ended, lastLines, runCommand } from './command.ts';
import type { HttpProcess, Launch } from './launch.ts';
import { inspector } from './versions.ts';

const stepMs = 120_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked at by the assertions.
type Fields = any;

interface Step {
  readonly args: readonly string[];
  /** Default 0. */
  readonly code?: number;
  readonly look: (result: Fields, stderr: string) => void;
}

const steps: readonly Step[] = [
  {
    // Strict: it ends with 6 when a schema is one that a host may refuse.
    args: ['--method', 'tools/list', '--strict'],
    look: ({ tools: listed }) => assert.equal(listed.length, tools.length),
  },
  {
    args: ['--method', 'tools/call', '--tool-name', 'list_positions', '--tool-arg', 'limit=2'],
    look: ({ structuredContent }) => assert.equal(structuredContent.rows.length, 2),
  },
  {
    args: ['--method', 'tools/call', '--tool-name', 'list_positions', '--tool-arg', 'colour=red'],
    code: 5,
    look: ({ isError, content }) => {
      assert.equal(isError, true);
      assert.equal(parseResponseText(content[0].text).code, 'invalid_argument');
    },
  },
  {
    args: ['--method', 'resources/list'],
    look: ({ resources }) => assert.ok(resources.some(({ uri }: Fields) => uri === 'account://summary')),
  },
  {
    args: ['--method', 'resources/read', '--uri', 'account://summary'],
    look: ({ contents }) => assert.equal(JSON.parse(contents[0].text).env, 'sandbox'),
  },
  {
    args: ['--method', 'resources/read', '--uri', 'account://nowhere'],
    code: 1,
    look: (_, stderr) => assert.match(stderr, /Resource not found: account:\/\/nowhere/),
  },
  {
    args: ['--method', 'prompts/list'],
    look: ({ prompts }) => assert.equal(prompts.length, listPrompts(toolsets).length),
  },
  {
    args: ['--method', 'prompts/get', '--prompt-name', 'draft_order', '--prompt-args', 'request=three shares'],
    look: ({ messages }) => assert.match(messages[0].content.text, /three shares/),
  },
  {
    args: ['--method', 'tools/list', '--protocol-era', 'modern'],
    look: ({ tools: listed }) => assert.equal(listed.length, tools.length),
  },
];

/** The number of requests. Throws when a result was not as it should be. */
export async function inspect(folder: string, target: Launch | HttpProcess): Promise<number> {
  const program = join(folder, 'node_modules', inspector.name, 'clients/launcher/build/index.js');
  const server =
    'url' in target
      ? [
          ...['--transport', 'http', '--server-url', target.url],
          ...Object.entries(target.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
        ]
      : [
          ...Object.entries(target.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
          ...[target.command, ...target.args],
        ];
  for (const { args, code = 0, look } of steps) {
    const ended = await runCommand(
      process.execPath,
      [program, '--cli', ...server, ...args, '--format', 'json'],
      // It keeps a list of servers below the home folder.
      { cwd: folder, timeoutMs: stepMs, env: { HOME: folder } },
    );
    try {
      assert.equal(ended.code, code, 'the exit code');
      look(resultOf(ended), ended.stderr);
    } catch (error) {
      throw new Error(`${args.join(' ')}: ${(error as Error).message}\n${lastLines(ended.stderr)}`);
    }
  }
  return steps.length;
}

const resultOf = ({ stdout }: Ended): unknown =>
  stdout.trim() === '' ? undefined : (JSON.parse(stdout) as { result: unknown }).result;
