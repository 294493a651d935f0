/**
 * The lines of standard input, without those that would keep the process busy: a line is bounded in size, depth and
 * values before it is parsed, as a body over HTTP is.
 */
import { type Readable, Transform } from 'node:stream';
import { isWithin } from './json-shape.ts';

const maxLineBytes = 96 * 1024;
const bounds = { maxDepth: 64, maxValues: 20_000 };
const newline = 0x0a;
/** Enough of both ends of a line to find the id of its request. */
const maxEndBytes = 512;

export interface RefusedLine {
  /** The id of the request, when one end of the line shows it. */
  readonly id: string | number | undefined;
}

/** A stream of the lines within bounds. `onRefused` is called for each other line, which is left out. */
export function boundInput(input: Readable, onRefused: (line: RefusedLine) => void): Readable {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let head: Buffer | undefined;

  const add = (piece: Buffer) => {
    bytes += piece.length;
    pieces.push(piece);
    if (bytes <= maxLineBytes) return;
    // Only its ends are kept: how long it becomes costs no memory.
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
/** Of the message itself: clients write it first or last, and one within its parameters is another. */
const idAtStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${idText}`);
const idAtEnd = new RegExp(String.raw`${idText}\s*(?:,\s*${version}\s*)?\}\s*$`);

function findId(head: Buffer, tail: Buffer): string | number | undefined {
  const found = idAtStart.exec(head.toString('utf8')) ?? idAtEnd.exec(tail.toString('utf8'));
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
}
