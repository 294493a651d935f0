/** The command types: its two files, and what it refuses. */
// @module-tag server
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tools } from '../../src/app/registry.ts';
import { runCommand } from '../support/command.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-mcp-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const run = (...words: string[]) => runCommand(['types', ...words], { HOME: newFolder() });

test.each([
  ['without a folder', []],
  ['with two folders', ['x', 'y']],
])('is refused %s', async (_, words) => {
  const { code, stderr } = await run(...words);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('types needs one folder for its two files: brokerage-mcp types FOLDER'),
  ]);
});

test('a file that exists is kept without --force, and a folder that cannot be made is named', {
  tags: ['slow'],
}, async () => {
  const folder = newFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, 'mine');
  expect((await run(folder)).code).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await run(folder, '--force')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe('mine');
  const { code, stderr } = await run(join(file, 'inside'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written (ENOTDIR)')]);
});

/** A program of a person who uses the types; each marked line is an error. */
const program = `
import type { Tools } from './brokerage-mcp.d.ts';
declare const orders: Tools['list_orders']['result'];
const names: string | null | undefined = orders.rows?.[0]?.[2];
const placed: Tools['place_limit_order']['result']['outcome'] = 'pending_approval';
const order: Tools['place_limit_order']['arguments'] = {
  ticker: 'A', side: 'BUY', quantity: 1, limitPrice: 2, timeValidity: 'DAY',
};
// @ts-expect-error
const wrong: Tools['place_limit_order']['result']['outcome'] = 'done';
// @ts-expect-error
const lacking: Tools['place_limit_order']['arguments'] = { ticker: 'A' };
// @ts-expect-error
orders.rows?.[0]?.[99];
export { names, placed, order, wrong, lacking };
`;

test('the types compile in a strict program, which they keep from mistakes', {
  timeout: 120_000,
  tags: ['slow'],
}, async () => {
  const folder = newFolder();
  expect(await run(folder)).toMatchObject({
    code: 0,
    stdout: `Wrote brokerage-mcp.d.ts and openapi.json to ${folder}.\n`,
  });
  writeFileSync(join(folder, 'program.ts'), program);
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--allowImportingTsExtensions'];
  execFileSync(process.execPath, [tsc, ...options, join(folder, 'program.ts')], { cwd: folder, stdio: 'pipe' });
});

test('the OpenAPI document has an operation for each tool, with both schemas', { tags: ['slow'] }, async () => {
  const folder = newFolder();
  await run(folder);
  const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
  expect([document.openapi, document.info.title]).toEqual(['3.1.0', 'brokerage-mcp']);
  expect(Object.keys(document.paths)).toEqual(tools.map(({ name }) => `/${name}`));
  for (const { post } of Object.values<{ post: Record<string, never> }>(document.paths)) {
    expect(post).toEqual({
      operationId: expect.any(String),
      summary: expect.any(String),
      description: expect.any(String),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: expect.objectContaining({ type: 'object' }) } },
      },
      responses: {
        200: {
          description: 'The structured content',
          content: { 'application/json': { schema: expect.objectContaining({ type: 'object' }) } },
        },
      },
    });
  }
});
