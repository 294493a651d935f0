/** What the demo shows: figures that agree, money with its currency, and lines that fit into a terminal. */
// @module-tag server
import Big from 'big.js';
import { expect, test } from 'vitest';
import { playDemo } from '../../src/cli/demo.ts';
import { createStyle } from '../../src/core/process/text-style.ts';
import { setup } from '../support/setup.ts';

test('the demo shows figures that agree, as a person says them', { tags: ['slow'] }, async () => {
  // 120 pages of history in a minute, as the sandbox allows them.
  const { client, call, clock, simulator } = await setup({ quirks: { historyRequests: 120 } });
  const lines: string[] = [];
  const server = { name: 'brokerage-mcp', version: '0.0.0', protocolVersion: '2025-11-25' };
  const listTools = async () => (await client.listTools()).tools;
  await playDemo(
    { server, listTools, call },
    {
      width: 80,
      style: createStyle({}, false),
      zone: 'UTC',
      clock,
      print: (text) => lines.push(...text.split('\n')),
      nameCommands: (text) => text.replace('brokerage-mcp', 'node /p.cjs'),
    },
  );
  const text = lines.join('\n');
  const flat = text.replace(/\s+/g, ' ');

  // The service's own books: the payments of the twelve months before the question.
  const [, twelve] = /([\d.]+) GBP in the twelve months from 15 Jan 2025 to 15 Jan 2026/.exec(flat) ?? [];
  const [, count, all] = /(\d+) payments, ([\d.]+) GBP in all; all rows were read/.exec(flat) ?? [];
  expect(all).toBe(twelve);
  const from = Date.parse('2025-01-15T15:00:00Z');
  const within = simulator.groundTruth().dividends.filter(({ at }) => at >= from && at < from + 365 * 86_400_000);
  expect(Number(count)).toBe(within.length);
  expect(Number(count)).toBeGreaterThan(60);
  expect(all).toBe(within.reduce((sum, { amount }) => sum.plus(String(amount)), new Big(0)).toFixed(2));

  // The arguments of a call are JSON.
  expect(text).not.toMatch(/(?<!")\d{4}-\d\d-\d\dT/);
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  expect(text).not.toContain('npx');
  expect(lines.slice(-4)).toEqual([
    'Connect a host with:',
    '  node /p.cjs init',
    'Or call one tool:',
    '  node /p.cjs call list_positions',
  ]);
  expect(text).not.toContain('undefined');
  expect(text).toMatch(/ LIMIT .* GBP$/m);
});
