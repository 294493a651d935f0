/** The hosts of `npm run hosts`: what is installed, and how each runs once, without a person, with the scripted model. */

import type { Call } from './scripted-model.ts';

/** A pinned version that runs on Node 20. */
export interface HostRun {
  /** The id of `init`. */
  readonly id: string;
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly command: string;
  /** The arguments for what a person types. */
  readonly args: (typed: string) => readonly string[];
  /** The arguments for a prompt of the server with words after it; undefined where a run without a person has none. */
  readonly prompt?: (name: string, words: string) => readonly string[];
  /** How its model reads a resource; undefined where it has no tool for that. */
  readonly read?: (uri: string) => Call;
  /** What it reads from its environment, for a model at the address. */
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** Files below its home that exist before `init` runs. */
  readonly files?: (modelUrl: string) => Readonly<Record<string, string>>;
}

/** No service knows it. */
const invented = 'invented-key';

const server = 'brokerage';
const claude = (typed: string) => ['-p', typed, '--allowedTools', 'mcp__brokerage__*'];
const gemini = (typed: string) => ['-p', typed, '--yolo', '--skip-trust'];
const opencode = ['run', '--model', 'script/scripted'];

export const hostRuns: readonly HostRun[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    command: 'claude',
    args: claude,
    prompt: (name, words) => claude(`/mcp__brokerage__${name} ${words}`),
    read: (uri) => ({ tool: 'ReadMcpResourceTool', args: { server, uri } }),
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: invented,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    id: 'codex',
    name: 'Codex',
    package: '@openai/codex',
    version: '0.171.0',
    command: 'codex',
    args: (typed) => [
      ...['exec', '--skip-git-repo-check'],
      ...['-c', 'mcp_servers.brokerage.default_tools_approval_mode="approve"', typed],
    ],
    read: (uri) => ({ tool: 'read_mcp_resource', args: { server, uri } }),
    env: () => ({ SCRIPT_KEY: invented }),
    files: (url) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "script"',
        '',
        '[model_providers.script]',
        'name = "script"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "SCRIPT_KEY"',
        '',
      ].join('\n'),
    }),
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    args: gemini,
    prompt: (name, words) => gemini(`/${name} ${words}`),
    read: (uri) => ({ tool: 'read_mcp_resource', args: { uri } }),
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: invented }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    }),
  },
  {
    id: 'opencode',
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    args: (typed) => [...opencode, typed],
    prompt: (name, words) => [...opencode, '--command', `${server}:${name}`, words],
    read: (uri) => ({ tool: 'read_mcp_resource', args: { server, uri } }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: 'true', OPENCODE_DISABLE_MODELS_FETCH: 'true' }),
    files: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        provider: {
          script: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: invented },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
    }),
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.15.10',
    command: 'qwen',
    args: (typed) => ['-p', typed, '--yolo', '--auth-type', 'openai'],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: invented, OPENAI_MODEL: 'scripted' }),
    files: () => ({ '.qwen/settings.json': '{ "privacy": { "usageStatisticsEnabled": false } }' }),
  },
];
