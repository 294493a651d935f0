/** Shows a change of our entry as the lines that differ. Possible secrets are never shown, not even old ones. */

import { diffArrays } from 'diff';
import { findNameFault } from '../../core/settings/account-names.ts';
import { approvalModes, environments, toolsets } from '../../core/settings/config.ts';
import type { HostDefinition } from './host.ts';
import { entryName } from './hosts.ts';
import { rawText } from './toml-parse.ts';

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
  ...['npx', '-y', 'node', 'cmd', '/c', 'brokerage-mcp', '*'],
  ...environments,
  ...approvalModes,
  ...toolsets,
];
const isPlain = (word: string): boolean =>
  /^(?:--[a-z-]+|brokerage-mcp@[\w.-]+|(?:\/|[A-Z]:\\)[^=]*)$/.test(word) ||
  word.split(',').every((part) => plainWords.includes(part));

/** The name and the kind of an account, which are short terms of our own. */
const isOfAccount = (name: string, value: string): boolean =>
  (name === 'name' || name === 'kind') && findNameFault(value) === undefined;

function masked(value: unknown, name?: string): unknown {
  if (typeof value === 'string') {
    const isOpen = (name !== undefined && (open.has(name) || isOfAccount(name, value))) || value.startsWith('${input:');
    return isOpen && !/\/\/[^/]*@/.test(value) ? value : '…';
  }
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' && isPlain(item) ? item : masked(item)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, key)]));
}

// Formats values for a host's file.

interface JsonStyle {
  readonly eol: string;
  readonly unit: string;
  /** Indentation of the line where the value begins. */
  readonly indent: string;
}

/**
 * Formats objects over several lines and lists of strings in one line, as users write these files; everything in one
 * line without a style.
 */
export function renderJson(value: unknown, style?: JsonStyle): string {
  if (style && Array.isArray(value) && value.some((item) => typeof item === 'object')) {
    const indent = style.indent + style.unit;
    const items = value.map((item) => `${style.eol}${indent}${renderJson(item)}`);
    return `[${items.join(',')}${style.eol}${style.indent}]`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => renderJson(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const inner = style && { ...style, indent: style.indent + style.unit };
  const members = entries.map(([key, item]) => `${JSON.stringify(key)}: ${renderJson(item, inner)}`);
  if (!style || !inner) return `{ ${members.join(', ')} }`;
  return `{${members.map((member) => `${style.eol}${inner.indent}${member}`).join(',')}${style.eol}${style.indent}}`;
}

/** Formats a table with its strings and lists; each object in it becomes its own table. */
export function renderTomlTable(path: readonly string[], table: object, eol: string): string {
  const isTable = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(table);
  const lines = [
    `[${path.map(renderTomlKey).join('.')}]`,
    ...entries
      .filter(([, value]) => !isTable(value))
      .map(([key, value]) => `${renderTomlKey(key)} = ${renderTomlValue(value)}`),
  ];
  const inner = entries
    .filter(([, value]) => isTable(value))
    .map(([key, value]) => renderTomlTable([...path, key], value, eol));
  return [lines.map((line) => line + eol).join(''), ...inner].join(eol);
}

export function renderTomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderTomlValue).join(', ')}]`;
  // JSON escapes are valid in TOML; only the delete character must be escaped in TOML and not in JSON.
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
  if (typeof value !== 'object' || value === null) return String(value);
  if (rawText in value) return String(value[rawText]);
  const members = Object.entries(value).map(([key, item]) => `${renderTomlKey(key)} = ${renderTomlValue(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export const renderTomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : renderTomlValue(key));
