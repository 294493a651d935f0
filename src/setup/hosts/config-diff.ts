/** Shows a change of our entry as the lines that differ. Possible secrets are never shown, not even old ones. */
import { diffArrays } from 'diff';
import { approvalModes, environments, toolsets } from '../../core/settings/config.ts';
import type { HostDefinition } from './host.ts';
import { entryName } from './index.ts';
import { renderJson, renderTomlTable } from './render.ts';

/** Returns lines that begin with - or +, in the host's syntax; none when nothing differs. */
export function changeLines(host: HostDefinition, before: unknown, after: unknown): string[] {
  return differing(formatLines(host, before), formatLines(host, after));
}

/** Returns the same for the members of a JSON object such as config.json. */
export const jsonDiffLines = (before: object, after: object): string[] =>
  differing(render(masked(before)), render(masked(after)));

function formatLines(host: HostDefinition, entry: unknown): string[] {
  if (entry === undefined) return [];
  const shown = masked(entry);
  if (host.syntax === 'toml' && typeof shown === 'object' && shown !== null)
    return renderTomlTable([host.container, entryName], shown, '\n').trimEnd().split('\n');
  return render({ [entryName]: shown });
}

/** Returns the members, each line without its trailing comma, so that a comma alone is no difference. */
const render = (value: unknown): string[] =>
  renderJson(value, { eol: '\n', unit: '  ', indent: '' })
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(2).replace(/,$/, ''));

const differing = (before: string[], after: string[]): string[] =>
  diffArrays(before, after).flatMap(({ value, removed, added }) =>
    removed || added ? value.map((line) => `${removed ? '-' : '+'} ${line}`) : [],
  );

/** Names whose values are not secret. All other values are masked, because users can put anything there. */
const open = new Set([
  ...['command', 'args', 'type', 'source'],
  ...['BROKER_ENV', 'BROKER_CONFIG_DIR', 'BROKER_STATE_DIR', 'BROKER_LIVE_TRADING'],
  ...['BROKER_DEMO_BASE_URL', 'BROKER_LIVE_BASE_URL'],
  ...['BROKER_API_KEY_FILE', 'BROKER_API_SECRET_FILE', 'BROKER_API_KEY_COMMAND', 'BROKER_API_SECRET_COMMAND'],
  ...['environment', 'demoBaseUrl', 'liveBaseUrl', 'apiKeyFile', 'apiSecretFile', 'apiKeyCommand', 'apiSecretCommand'],
  ...['stateDir', 'liveTrading'],
]);

/** List items that are not secret: our own terms, flags and paths. */
const plainWords: readonly string[] = [
  ...['npx', '-y', 'node', 'cmd', '/c', 'brokerage-mcp'],
  ...environments,
  ...approvalModes,
  ...toolsets,
];
const isPlain = (word: string): boolean =>
  /^(?:--[a-z-]+|brokerage-mcp@[\w.-]+|(?:\/|[A-Z]:\\)[^=]*)$/.test(word) ||
  word.split(',').every((part) => plainWords.includes(part));

function masked(value: unknown, name?: string): unknown {
  if (typeof value === 'string') {
    const isOpen = (name !== undefined && open.has(name)) || value.startsWith('${input:');
    return isOpen && !/\/\/[^/]*@/.test(value) ? value : '…';
  }
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' && isPlain(item) ? item : masked(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, key)]));
}
