import { tools } from '../src/app/registry.ts';
import { argumentNames } from '../src/core/mcp/parse-arguments.ts';
import { intentStates, isFinal, transitions } from '../src/core/orders/intent/states.ts';
import { isPublished } from '../src/core/process/version.ts';
import { type Setting, settings } from '../src/core/settings/setting-definitions.ts';
import { checks } from '../src/setup/doctor/check-list.ts';
import { buildEntry, cursorWebLink, exampleLaunch, vscodeWebLink } from '../src/setup/hosts/entry.ts';
import { hosts } from '../src/setup/hosts/hosts.ts';
import { serverJson } from './server-json.ts';

/** Texts that follow from the code, by the markers between which they stand. */
const texts: Readonly<Record<string, () => string>> = {
  tools: toolTable,
  settings: settingsTable,
  links: installLinks,
  hosts: hostTable,
  states: stateDiagram,
  checks: checkTable,
};

/** Which of them each document has. */
export const documents: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['hosts', 'links'],
  'docs/tools.md': ['tools'],
  'docs/settings.md': ['settings'],
  'docs/architecture.md': ['states'],
  'docs/troubleshooting.md': ['checks'],
  'server.json': [],
  'mcp.json.example': [],
};

/** What has nothing but generated text in it. */
const whole: Readonly<Record<string, () => string>> = {
  'server.json': serverJson,
  'mcp.json.example': exampleEntries,
};

/** The document with its generated texts as they should be. */
export const withGenerated = (path: string, text: string): string =>
  whole[path]?.() ??
  (documents[path] ?? []).reduce((filled, name) => fill(path, filled, name, texts[name]?.() ?? ''), text);

function fill(path: string, text: string, name: string, table: string): string {
  const pattern = new RegExp(`(<!-- ${name}:begin [^>]*-->)[\\s\\S]*?(<!-- ${name}:end -->)`);
  if (!pattern.test(text)) throw new Error(`${path} has no markers for ${name}.`);
  return text.replace(pattern, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`);
}

/** Entries for the sandbox, for a demo account, and for a live account that is only read. */
function exampleEntries(): string {
  const account = (environment: 'demo' | 'live', flags = {}) =>
    buildEntry(
      {
        environment,
        baseUrl: `https://${environment}.broker.example/api/v0`,
        keys: { kind: 'files', key: `/path/to/${environment}-key`, secret: `/path/to/${environment}-secret` },
        flags,
      },
      exampleLaunch,
    );
  const mcpServers = {
    'brokerage-sandbox': buildEntry({ environment: 'sandbox', flags: {} }, exampleLaunch),
    'brokerage-demo': account('demo'),
    'brokerage-live': account('live', { 'read-only': 'true' }),
  };
  // Short lists stand on one line, as in the documents of hosts.
  return `${JSON.stringify({ mcpServers }, null, 2).replace(/\[\n\s+([^\]]*?)\n\s+\]/g, (_, items: string) => `[${items.replace(/\n\s+/g, ' ')}]`)}\n`;
}

function installLinks(): string {
  return isPublished
    ? `Or one click for the sandbox: [VS Code](${vscodeWebLink}) · [Cursor](${cursorWebLink})`
    : 'The package is not in the npm registry yet, so there are no links that install it with one click.';
}

/** The hosts by what they do before an order; hosts that do the same are in one row. */
function hostTable(): string {
  const answers = [...new Set(hosts.map(({ beforeOrder }) => beforeOrder))];
  const rows = answers.map((answer) => {
    const names = hosts.filter(({ beforeOrder }) => beforeOrder === answer).map(({ name }) => name);
    return `| ${names.join(', ')} | \`init\` | ${answer ?? 'unknown'} |`;
  });
  const web =
    '| assistants on the web and on a phone | [a login](docs/web.md) | asks as that assistant does; you grant `trade` |';
  return ['| host | connects by | before an order it |', '|---|---|---|', ...rows, web].join('\n');
}

/** Each state of an intent, and where it can go by which event, as a Mermaid diagram. */
function stateDiagram(): string {
  const arrows = intentStates.flatMap((state) => {
    if (isFinal(state)) return [`${state} --> [*]`];
    const events = Object.entries(transitions[state]);
    const targets = [...new Set(events.map(([, next]) => next))];
    return targets.map((next) => {
      const names = events.filter(([, target]) => target === next).map(([event]) => event);
      return `${state} --> ${next}: ${names.join(', ')}`;
    });
  });
  const lines = ['stateDiagram-v2', ...[`[*] --> ${intentStates[0]}`, ...arrows].map((arrow) => `    ${arrow}`)];
  return ['```mermaid', ...lines, '```'].join('\n');
}

function toolTable(): string {
  const rows = tools.map((tool) => {
    const names = argumentNames(tool).map((name) => `\`${name}\``);
    const paths = [...new Set(tool.endpoints.map(({ method, path }) => `${method} ${path.replace('/equity/', '')}`))];
    const toolsets = [tool.toolset, tool.alsoIn].filter((name) => name !== undefined).join(', ');
    return `| ${toolsets} | \`${tool.name}\` | ${names.join(', ')} | ${tool.description} | ${paths.join('<br>')} |`;
  });
  return ['| toolset | tool | arguments | what it does | endpoints |', '|---|---|---|---|---|', ...rows].join('\n');
}

function checkTable(): string {
  const rows = checks.map(({ name, finds }) => `| \`${name}\` | ${finds} |`);
  return ['| check | what it finds |', '|---|---|', ...rows].join('\n');
}

function settingsTable(): string {
  const rows = Object.entries<Setting>(settings).map(
    ([name, { flag, variable, description }]) =>
      `| \`${name}\` | ${flag ? `\`--${flag}\`` : ''} | \`${variable}\` | ${description} |`,
  );
  return ['| name | flag | variable | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
