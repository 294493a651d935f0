import { fileURLToPath } from 'node:url';

/** A position in a file: path or file URL, line, column. */
const frame = /((?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\n:()]*\.[cm]?js):(\d+):(\d+)/g;
/** The comment that the build writes above the lines of each source file. */
const sourceComment = /^\/\/ ((?:src|node_modules)\/\S+)$/;

/** The stack of an error, with the source file of each position in a built file. */
export function formatTrace(fault: unknown, readFile: (path: string) => string | undefined): string {
  if (!(fault instanceof Error)) return String(fault);
  const files = new Map<string, readonly string[]>();
  const readLines = (path: string) => {
    const lines = files.get(path) ?? readFile(path)?.split('\n') ?? [];
    files.set(path, lines);
    return lines;
  };
  return (fault.stack ?? fault.message).replaceAll(frame, (place: string, file: string, line: string) => {
    const source = sourceAt(readLines(file.startsWith('file:') ? fileURLToPath(file) : file), Number(line));
    return source === undefined ? place : `${place}, from ${source}`;
  });
}

/** The nearest source comment above a line. */
function sourceAt(lines: readonly string[], line: number): string | undefined {
  return lines
    .slice(0, line)
    .findLast((text) => sourceComment.test(text))
    ?.slice('// '.length);
}
