/**
 * Reads the lines of standard input and drops those that would block the process: each line is checked for size, depth
 * and number of values before it is parsed, as a body over HTTP is.
 */

import { type Readable, Transform } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { isWithin } from '../text/json.ts';

const maxLineBytes = 96 * 1024;
const bounds = { maxDepth: 64, maxValues: 20_000 };
const newline = 0x0a;
/** Bytes kept of each end of a line that is too long: enough to find the id of its request. */
const maxEndBytes = 512;

export interface RefusedLine {
  /** The id of the request, when it is within the kept start or end of the line. */
  readonly id: string | number | undefined;
}

/** Returns a stream of the lines within bounds. `onRefused` is called for each other line, which is dropped. */
export function boundInput(input: Readable, onRefused: (line: RefusedLine) => void): Readable {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let head: Buffer | undefined;

  const add = (piece: Buffer) => {
    bytes += piece.length;
    pieces.push(piece);
    if (bytes <= maxLineBytes) return;
    // Keeps only the two ends, so a very long line uses no more memory.
    const kept = Buffer.concat(pieces);
    head ??= Buffer.from(kept.subarray(0, maxEndBytes));
    pieces = [Buffer.from(kept.subarray(-maxEndBytes))];
  };
  const takeLine = (): Buffer | undefined => {
    const line = Buffer.concat(pieces);
    const isFit = bytes <= maxLineBytes && isWithin(line, bounds);
    if (!isFit) onRefused({ id: findId(head ?? line.subarray(0, maxEndBytes), line.subarray(-maxEndBytes)) });
    pieces = [];
    bytes = 0;
    head = undefined;
    return isFit ? line : undefined;
  };

  const bounded = new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, end + 1));
        from = end + 1;
        const line = takeLine();
        if (line) this.push(line);
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
  });
  return input.pipe(bounded);
}

const idText = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.){0,100}"|-?\d{1,15})`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** Matches the id of the message only. Clients write it first or last; an id inside the parameters is another one. */
const idAtStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${idText}`);
const idAtEnd = new RegExp(String.raw`${idText}\s*(?:,\s*${version}\s*)?\}\s*$`);

function findId(head: Buffer, tail: Buffer): string | number | undefined {
  const found = idAtStart.exec(head.toString('utf8')) ?? idAtEnd.exec(tail.toString('utf8'));
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
}

// Replaces the SDK's dump of its schema library, sent for a malformed request, with one sentence.

type Connect = McpServer['connect'];
type Transport = Parameters<Connect>[0];
type Message = Parameters<Transport['send']>[0];

const invalidParams = -32_602;
/** Maximum length of a path in the message; deeper parts add no information. */
const maxPathLength = 100;

/** Changes the server so that its errors contain no dump, on every transport. Returns the same server. */
export function withPlainErrors(server: McpServer): McpServer {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(plainError(message), options);
    return connect(transport);
  };
  return server;
}

function plainError(message: Message): Message {
  if (!('error' in message)) return message;
  const issues = readIssues(message.error.message);
  if (!issues) return message;
  const path = issues[0]?.path?.map(String).join('.').slice(0, maxPathLength);
  const where = path ? `${path} is missing or has the wrong type` : 'a field is missing or has the wrong type';
  return { ...message, error: { code: invalidParams, message: `The request is not valid: ${where}.` } };
}

/**
 * Returns the issues of the schema library when the text is a dump of them, also after a prefix; undefined otherwise.
 */
function readIssues(text: string): { path?: unknown[] }[] | undefined {
  const from = text.indexOf('[');
  if (from === -1 || !text.trimEnd().endsWith(']')) return undefined;
  try {
    const issues: unknown = JSON.parse(text.slice(from));
    return Array.isArray(issues) && issues.every(isIssue) ? issues : undefined;
  } catch {
    // The text only begins like a list.
    return undefined;
  }
}

const isIssue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'code' in value && 'path' in value && Array.isArray(value.path);
