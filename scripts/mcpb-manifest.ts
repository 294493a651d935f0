/**
 * The manifest of the MCPB bundle, version 0.3: what a desktop host shows, asks for and starts. Tools,
 * prompts, variables and versions come from the program, so that there is nothing to keep in step.
 */
import packageFile from '../package.json' with { type: 'json' };
import { tools } from '../src/app/registry.ts';
import { findSetting, type SettingName } from '../src/core/settings/setting-definitions.ts';
import { prompts } from '../src/features/guides/prompts.ts';

/** Where the program is in the bundle. */
const entryPoint = 'dist/brokerage-mcp.cjs';

interface Field {
  readonly setting: SettingName;
  readonly title: string;
  readonly description: string;
  readonly type: 'string' | 'boolean';
  readonly sensitive?: true;
  readonly default?: boolean;
}

/**
 * The few settings that a person without a shell needs; config.json has all of them. The environment has
 * no default on purpose: with one, somebody who gave only keys would be shown the simulated account.
 */
const fields: Readonly<Record<string, Field>> = {
  environment: {
    setting: 'environment',
    type: 'string',
    title: 'Environment',
    description:
      'sandbox (a simulated account, needs nothing else), demo (paper money) or live (real money). Empty: sandbox.',
  },
  demo_base_url: {
    setting: 'demoBaseUrl',
    type: 'string',
    title: 'Address of the demo service',
    description: 'For demo only, as in https://demo.broker.example',
  },
  live_base_url: {
    setting: 'liveBaseUrl',
    type: 'string',
    title: 'Address of the live service',
    description: 'For live only, as in https://live.broker.example',
  },
  api_key: {
    setting: 'apiKey',
    type: 'string',
    title: 'API key',
    description: 'Of the chosen environment; not needed for sandbox',
    sensitive: true,
  },
  api_secret: {
    setting: 'apiSecret',
    type: 'string',
    title: 'API secret',
    description: 'The secret of that key; empty for a key that has none',
    sensitive: true,
  },
  read_only: {
    setting: 'readOnly',
    type: 'boolean',
    title: 'Read only',
    description: 'Offers only the tools that change nothing',
    default: false,
  },
};

/** Ready to be written as manifest.json at the root of the bundle. `icon` is a file of the bundle. */
export function buildManifest(icon?: string) {
  return {
    manifest_version: '0.3',
    name: packageFile.name,
    display_name: 'Brokerage account',
    version: packageFile.version,
    description: packageFile.description,
    long_description: [
      'Without any settings it uses a simulated account, and every result says so. With a key from the broker it reads a demo or a live account; live orders stay off until a passphrase is enrolled in a terminal, and then each order needs a person’s approval.',
      'Keys are handed to the program by the application that starts it, and are sent to the address above alone.',
    ].join('\n\n'),
    author: { name: 'The brokerage-mcp authors' },
    ...(icon === undefined ? {} : { icon }),
    license: packageFile.license,
    keywords: packageFile.keywords,
    server: {
      type: 'node',
      entry_point: entryPoint,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${entryPoint}`],
        env: Object.fromEntries(
          Object.entries(fields).map(([key, { setting }]) => [findSetting(setting).variable, `\${user_config.${key}}`]),
        ),
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    prompts: prompts.map(describePrompt),
    // The server's own prompts also take arguments that may be left out, which a fixed text cannot say.
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: packageFile.engines.node },
    },
    user_config: Object.fromEntries(
      Object.entries(fields).map(([key, { setting: _, ...field }]) => [key, { ...field, required: false }]),
    ),
  };
}

function describePrompt({ name, description, arguments: all, text }: (typeof prompts)[number]) {
  const names = all.filter(({ required }) => required).map((argument) => argument.name);
  return {
    name,
    description,
    arguments: names,
    text: text(Object.fromEntries(names.map((argument) => [argument, `\${arguments.${argument}}`]))),
  };
}
