/**
 * Reads, adds and removes our entry in the text of a host's file. Pure functions; every edit is verified before it is
 * returned.
 */
import { isDeepStrictEqual } from 'node:util';
import { changesBetween, inputs, mergeEntry } from './entry.ts';
import type { Entry, HostDefinition } from './host.ts';
import { entryName } from './hosts.ts';
import { isEmptyObject, readMember, removeMember, setMember, UnsupportedLayoutError } from './jsonc-edit.ts';
import { readJsonText, toValue } from './jsonc-parse.ts';
import { renderJson, renderTomlTable } from './render.ts';
import { addTable, changeSetting, readTable, removeTable, withoutTable } from './toml-edit.ts';

/** What an insertion created around our entry, so that a removal can restore the original file. */
export interface InsertionRecord {
  readonly made: number;
  readonly gap?: string | undefined;
}

export interface EntryEdit {
  readonly text: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Undefined when the entry already existed. */
  readonly traces: InsertionRecord | undefined;
}

const pathIn = (host: HostDefinition) => [host.container, entryName] as const;

/** Returns our entry, or undefined when there is none. Throws a SyntaxError or a UnsupportedLayoutError. */
export function readEntry(host: HostDefinition, text: string): unknown {
  return host.syntax === 'json' ? readMember(text, pathIn(host)) : readTable(text, pathIn(host));
}

/**
 * Returns the text with the entry; the same text when no change is needed. Throws a SyntaxError or a
 * UnsupportedLayoutError.
 */
export function withEntry(host: HostDefinition, text: string, entry: Entry): EntryEdit {
  const path = pathIn(host);
  const before = readEntry(host, text);
  const after = mergeEntry(host, entry, before);
  let edited = text;
  let traces: InsertionRecord | undefined;
  if (before === undefined) {
    if (host.syntax === 'json') {
      const inserted = setMember(text, path, after);
      edited = inserted.text;
      traces = { made: inserted.made, gap: inserted.gap };
    } else {
      const added = addTable(text, path, after);
      edited = added.text;
      traces = { made: 0, gap: added.gap };
    }
  } else {
    for (const change of changesBetween(before, after)) {
      if (host.syntax === 'toml') edited = changeSetting(edited, path, change.path, change.value);
      else if (change.value === undefined) edited = removeMember(edited, [...path, ...change.path]);
      else edited = setMember(edited, [...path, ...change.path], change.value).text;
    }
  }
  check(host, text, edited, after);
  return { text: edited, before, after, traces };
}

/** Returns the text without our entry, and without what `traces` records as created for it. Throws like `withEntry`. */
export function withoutEntry(host: HostDefinition, text: string, traces: InsertionRecord = { made: 0 }): EntryEdit {
  const path = pathIn(host);
  const before = readEntry(host, text);
  if (before === undefined) return { text, before, after: undefined, traces: undefined };
  let edited: string;
  if (host.syntax === 'toml') edited = removeTable(text, path, traces.gap);
  else {
    const gapAt = (level: number) => (traces.made === level ? traces.gap : undefined);
    edited = removeMember(text, path, gapAt(0));
    if (traces.made >= 1 && isEmptyObject(edited, [host.container]))
      edited = removeMember(edited, [host.container], gapAt(1));
    if (traces.made >= 2 && isEmptyObject(edited, [])) edited = traces.gap ?? '';
  }
  check(host, text, edited, undefined);
  return { text: edited, before, after: undefined, traces: undefined };
}

/** Returns the entry as a file of its own, for the user to paste. */
export function formatSnippet(host: HostDefinition, entry: Entry): string {
  const value = mergeEntry(host, entry, undefined);
  if (host.syntax === 'toml') return renderTomlTable(pathIn(host), value, '\n').trimEnd();
  const asks = Object.values(entry.env ?? {}).some((one) => one.startsWith('${input:'));
  const whole = { ...(asks ? { inputs } : {}), [host.container]: { [entryName]: value } };
  return renderJson(whole, { eol: '\n', unit: '  ', indent: '' });
}

/** Last safeguard: throws unless the edit produced the wanted entry and changed no other value. */
function check(host: HostDefinition, before: string, after: string, wanted: unknown): void {
  const isRight =
    isDeepStrictEqual(plain(readEntry(host, after)), plain(wanted)) &&
    isDeepStrictEqual(rest(host, before), rest(host, after));
  if (!isRight) throw new UnsupportedLayoutError('has a format that cannot be edited safely');
}

function rest(host: HostDefinition, text: string): unknown {
  if (host.syntax === 'toml') return withoutTable(text, pathIn(host));
  const root = readJsonText(text);
  const value = root ? toValue(root) : {};
  const servers = (value as Record<string, unknown>)[host.container];
  if (typeof servers !== 'object' || servers === null) return value;
  const others = Object.entries(servers).filter(([name]) => name !== entryName);
  const all = Object.entries(value as object).filter(([name]) => name !== host.container);
  return Object.fromEntries(others.length > 0 ? [...all, [host.container, Object.fromEntries(others)]] : all);
}

/** Drops what JSON cannot represent, such as undefined members. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
