/** What is removed from standard input before anything parses it, and what the client is sent instead. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { boundInput, type RefusedLine } from '../../../src/core/mcp/transport-guards.ts';

async function pass(text: string, chunkSize = 65_536) {
  const input = new PassThrough();
  const refused: RefusedLine[] = [];
  const bounded = boundInput(input, (line) => refused.push(line));
  for (let at = 0; at < text.length; at += chunkSize) input.write(text.slice(at, at + chunkSize));
  input.end();
  let passed = '';
  for await (const chunk of bounded) passed += chunk;
  return { passed, refused };
}

const call = (id: string, params: string) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}\n`;
const lastId = (id: string, params: string) =>
  `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":${id}}\n`;
const long = `{"text":"${'x'.repeat(100_000)}"}`;
const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
const wide = `[${'1,'.repeat(20_000)}1]`;

test.each([1, 7, 64, 65_536])('lines within the bounds pass unchanged, in chunks of %i', async (chunkSize) => {
  const text = `${call('1', '{"a":"\u00e9"}') + call('"two"', '[]')}\n${call('3', '{}')}`;
  expect(await pass(text, chunkSize)).toEqual({ passed: text, refused: [] });
});

test.each([
  ['too long', long],
  ['too deep', deep],
  ['of too many values', wide],
])('a line that is %s is removed, and its id is reported wherever the client writes it', async (_, params) => {
  const text = call('7', params) + lastId('"a\\"b"', params) + call('8', '{}');
  const { passed, refused } = await pass(text);
  expect(passed).toBe(call('8', '{}'));
  expect(refused).toEqual([{ id: 7 }, { id: 'a"b' }]);
});

test('an id within the parameters is not taken for that of the message', async () => {
  const notification = `{"jsonrpc":"2.0","method":"notifications/x","params":{"id":5,"text":"${'x'.repeat(100_000)}"}}\n`;
  expect(await pass(notification)).toEqual({ passed: '', refused: [{ id: undefined }] });
});

test('a line without an end is not passed on', async () => {
  expect(await pass(`${call('1', '{}')}{"jsonrpc":`)).toEqual({ passed: call('1', '{}'), refused: [] });
});
