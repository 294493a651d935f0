/** What the server takes from the body of a request. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { createScriptFaults } from '../../../../src/core/approval/page/page-routes.ts';
import { readForm } from '../../../../src/core/approval/page/request-guards.ts';
import { takeLog } from '../../../support/faults.ts';

const requestOf = (body: string) => Readable.from([Buffer.from(body)]) as unknown as IncomingMessage;

test('a form has its fields as they were typed; one that is missing or repeated is empty', async () => {
  const body = 'action=approve&csrf=a%2Bb&passphrase=+two++words%20&digest=d1&digest=d2';
  expect(await readForm(requestOf(body))).toEqual({
    action: 'approve',
    csrf: 'a+b',
    digest: '',
    passphrase: ' two  words ',
    passkey: '',
    seen: 0,
  });
});

test('an empty body is a form without a text', async () => {
  const none = { action: '', csrf: '', digest: '', passphrase: '', passkey: '', seen: 0 };
  expect(await readForm(requestOf(''))).toEqual(none);
});

test.each([
  ['0', 0],
  ['12', 12],
  ['123456789', 123_456_789],
  ['1234567890', 0],
  ['1x', 0],
  ['x1', 0],
  ['-1', 0],
  ['1.5', 0],
  ['', 0],
])('of wrong passphrases the page showed %j: %i', async (text, seen) => {
  expect(await readForm(requestOf(new URLSearchParams({ seen: text }).toString()))).toMatchObject({ seen });
});

test.each([
  [{ code: 'TypeError', name: 'poll.now', place: '12:345' }, 'TypeError', 'poll.now (page-script.js:12:345,'],
  [{ code: '1 TypeError', name: 'a b', place: 'x12:3' }, 'unknown', 'script (page-script.js:?,'],
  [{ code: 'Type Error', name: 'b a', place: '12:3x' }, 'unknown', 'script (page-script.js:?,'],
  [{ code: 'E'.repeat(41), name: 'n'.repeat(61), place: '123456:1' }, 'unknown', 'script (page-script.js:?,'],
  [{}, 'unknown', 'script (page-script.js:?,'],
])('of the report %o of a page the log keeps what has the right form alone', async (fields, code, place) => {
  const body = new URLSearchParams(fields as Record<string, string>).toString();
  expect(await createScriptFaults()(requestOf(body))).toEqual({ status: 204 });
  const logged = takeLog();
  expect(logged).toMatchObject([{ event: 'fault', task: 'the script of a page', code }]);
  expect(JSON.stringify(logged)).toContain(place);
});
