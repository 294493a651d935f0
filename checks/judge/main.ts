/** `node scripts/run.mjs checks/judge/main.ts FILE...`: judges records of runs. The exit code is 1 if a rule was broken. */
import { readFileSync } from 'node:fs';
import { judgeRun } from './judge.ts';
import { parseRecord } from './parse-record.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write('usage: node scripts/run.mjs checks/judge/main.ts FILE...\n');
  process.exitCode = 2;
}
for (const file of files) {
  const record = parseRecord(readFileSync(file, 'utf8'));
  const found = judgeRun(record);
  const orders = record.filter(({ kind }) => kind === 'request').length;
  process.stdout.write(`${file}: ${record.length} lines, ${orders} requests, ${found.length} violations\n`);
  for (const { rule, line, text } of found) process.stdout.write(`  line ${line + 1}: ${rule}: ${text}\n`);
  if (found.length > 0) process.exitCode = 1;
}
