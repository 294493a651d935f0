/** `npm run bench`: the figures that the design names, measured in one run and printed as a table. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureStart } from './start.ts';
import { measureToolList } from './tool-list.ts';

const binary = 'dist/brokerage-mcp.cjs';
execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });

const start = await measureStart(binary, 15);
const list = measureToolList();
const kilobytes = (file: string) => (statSync(file).size / 1000).toFixed(0);
const rows: string[][] = [
  ['what', 'measured', 'target'],
  [
    'start: spawn to tools/list, against `node -e 0`',
    `${start.ratio.toFixed(2)} × (${start.serverMs.toFixed(0)} ms / ${start.nodeMs.toFixed(0)} ms)`,
    '≤ 2.00 ×',
  ],
  [
    'tools/list, all tools',
    `${list.all.tokens} tokens, ${list.all.bytes} bytes, ${list.all.tools} tools`,
    '≤ 3600 tokens',
  ],
  [
    'tools/list, read-only',
    `${list.readOnly.tokens} tokens, ${list.readOnly.bytes} bytes, ${list.readOnly.tools} tools`,
    '≤ 2200 tokens',
  ],
  [
    'file of the start / file of the work',
    `${kilobytes(binary)} / ${kilobytes('dist/work.cjs')} kB`,
    '≤ 700 kB in one',
  ],
];
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
process.stdout.write(
  `Node ${process.version}, ${cpus().length} cores; medians of ${start.runs} interleaved runs.\n\n${lines.join('\n')}\n`,
);
