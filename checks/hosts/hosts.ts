/** The hosts of `npm run hosts`: what is installed, and how each runs once, without a person, with the scripted model. */

/** A pinned version that runs on Node 20. */
export interface HostRun {
  /** The id of `init`. */
  readonly id: string;
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it reads from its environment, for a model at the address. */
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** Files below its home that exist before `init` runs. */
  readonly files?: (modelUrl: string) => Readonly<Record<string, string>>;
}

const prompt = 'Play the script.';
/** No service knows it. */
const invented = 'invented-key';

export const hostRuns: readonly HostRun[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    command: 'claude',
    args: ['-p', prompt, '--allowedTools', 'mcp__brokerage__*'],
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
    args: [
      ...['exec', '--skip-git-repo-check'],
      ...['-c', 'mcp_servers.brokerage.default_tools_approval_mode="approve"', prompt],
    ],
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
    args: ['-p', prompt, '--yolo', '--skip-trust'],
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
    args: ['run', prompt, '--model', 'script/scripted'],
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
    args: ['-p', prompt, '--yolo', '--auth-type', 'openai'],
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: invented, OPENAI_MODEL: 'scripted' }),
    files: () => ({ '.qwen/settings.json': '{ "privacy": { "usageStatisticsEnabled": false } }' }),
  },
];
