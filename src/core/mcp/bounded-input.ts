/**
 * Reads the lines of standard input and drops those that would block the process: each line is checked for size, depth
 * and number of values before it is parsed, as a body over HTTP is.
 */
import { type Readable, Transform } from 'node:stream';
import { isWithin } from '../text/json-shape.ts';

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
