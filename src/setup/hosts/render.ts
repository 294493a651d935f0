/** Formats values for a host's file. */
import { rawText } from './toml-parse.ts';

export interface JsonStyle {
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
