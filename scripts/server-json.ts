/** server.json, by which the MCP registry knows this server: schema 2025-12-11, from the table of the settings. */
import packageFile from '../package.json' with { type: 'json' };
import { logLevels } from '../src/core/log.ts';
import { approvalModes, environments } from '../src/core/settings/config.ts';
import { mailEncryptions, notifyDetails, notifyStyles } from '../src/core/settings/notify-settings.ts';
import { type Setting, type SettingName, settings } from '../src/core/settings/setting-definitions.ts';

const choices: Partial<Record<SettingName, readonly string[]>> = {
  environment: environments,
  approval: approvalModes,
  log: logLevels,
  notifyStyle: notifyStyles,
  notifyMailTls: mailEncryptions,
  notifyDetail: notifyDetails,
};

/** The text of server.json. A test, and `npm run docs`, keep the file of this repository at it. */
export function serverJson(): string {
  const document = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: packageFile.mcpName,
    title: 'Brokerage account',
    // The registry takes a hundred characters.
    description: 'A brokerage account as tools: portfolio, history, analytics, orders never placed twice.',
    version: packageFile.version,
    packages: [
      {
        registryType: 'npm',
        identifier: packageFile.name,
        version: packageFile.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: Object.entries<Setting>(settings)
          .filter(([name]) => !isOfHttp(name))
          .map(describeVariable),
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A host that starts this package speaks to its standard input and output. */
const isOfHttp = (name: string): boolean => name.startsWith('http');

/**
 * There are no defaults in it: a client that fills one in would overrule the owner's config.json (a
 * `readOnly` in it, for example), and with an environment filled in, keys alone would show the
 * simulated account instead of stopping the start.
 */
function describeVariable([name, { variable, kind, description }]: [string, Setting]) {
  const words = kind === 'switch' ? ['true', 'false'] : choices[name as SettingName];
  return {
    name: variable,
    description: description.replaceAll('`', ''),
    format: kind === 'switch' ? 'boolean' : name.endsWith('File') ? 'filepath' : 'string',
    ...(words && { choices: words }),
    // What may be kept in a file that only its owner reads is a secret.
    ...(Object.hasOwn(settings, `${name}File`) && { isSecret: true }),
  };
}
