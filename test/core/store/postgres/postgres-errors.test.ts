/** What an error of the driver means for the store. */
import { expect, test } from 'vitest';
import { BrokerageError } from '../../../../src/core/errors.ts';
import { loadAnew } from '../../../support/load-anew.ts';

const load = () =>
  loadAnew<typeof import('../../../../src/core/store/postgres/postgres-errors.ts')>(
    'src/core/store/postgres/postgres-errors.ts',
  );
const errorWith = (code: unknown, message = 'x') => Object.assign(new Error(message), { code });

test.each([
  ['28000', 'access_denied'],
  ['28P01', 'access_denied'],
  ['3D000', 'no_database'],
  ['3F000', 'no_tables'],
  ['42P01', 'no_tables'],
  ['42501', 'no_permission'],
  ['25006', 'standby'],
  ['53100', 'disk_full'],
  ['53200', 'out_of_memory'],
  ['53300', 'no_connection_left'],
  ['55P03', 'held'],
  ['57014', 'too_slow'],
  ['57P01', 'shut_down'],
  ['57P02', 'crashed'],
  ['57P03', 'starting'],
  ['25P03', 'too_slow'],
  ['25P04', 'too_slow'],
  ['ECONNREFUSED', 'unreachable'],
  ['ENOENT', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['ETIMEDOUT', 'no_answer'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ECONNRESET', 'connection_broken'],
  ['EPIPE', 'connection_broken'],
  // Other codes of the classes that are about the server.
  ['08006', 'server_trouble'],
  ['53400', 'server_trouble'],
  ['57P05', 'server_trouble'],
  ['58030', 'server_trouble'],
  ['XX001', 'server_trouble'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_TLS_HANDSHAKE', 'certificate'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'certificate'],
])('code %s means %s', async (code, store) => {
  const { toStoreError } = await load();
  expect(toStoreError(errorWith(code))).toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/^The shared store cannot be used: .+\.$/),
    next: expect.stringContaining('BROKER_STATE_URL'),
    cause: { store },
  });
});

test.each([
  ['Query read timeout', 'no_answer'],
  ['The operation timed out', 'no_answer'],
  ['timeout expired', 'no_answer'],
  ['Connection terminated unexpectedly', 'connection_broken'],
  ['Client was closed and is not queryable', 'connection_broken'],
  ['the socket hung up', 'connection_broken'],
  ['The server does not support SSL', 'connection_broken'],
  ['SASL: client password must be a string', 'connection_broken'],
  ['self-signed certificate', 'connection_broken'],
])('an error of the driver without a code is known by its text: %s', async (message, store) => {
  const { toStoreError } = await load();
  for (const error of [new Error(message), errorWith('UNKNOWN', message), errorWith(7, message)])
    expect(toStoreError(error)).toMatchObject({ code: 'store_unavailable', cause: { store } });
});

test.each([
  ['a constraint', errorWith('23505')],
  ['the class in the middle of a code', errorWith('A0800')],
  ['a longer code', errorWith('080061')],
  ['a code before the class', errorWith('108006')],
  ['no code', new Error('x')],
  ['a code that is not text', errorWith(28_000)],
  ['no error', 'Connection terminated'],
  ['an object', { code: '57P01' }],
  ['undefined', undefined],
])('%s is a mistake of the program, and stays as it is', async (_, error) => {
  const { toStoreError } = await load();
  expect(toStoreError(error)).toBe(error);
});

test('only a missing answer is a timeout', async () => {
  const { isTimeout, sharedStoreUnavailable, toStoreError } = await load();
  expect(isTimeout(sharedStoreUnavailable('no_answer', 'x'))).toBe(true);
  expect(isTimeout(toStoreError(errorWith('ETIMEDOUT')))).toBe(true);
  for (const other of [
    sharedStoreUnavailable('too_slow', 'x'),
    new BrokerageError('timeout', 'x', 'y'),
    Object.assign(new Error('x'), { cause: { store: 'no_answer' } }),
    undefined,
  ])
    expect(isTimeout(other)).toBe(false);
});

test.each([
  ['57P02', 'The shared store cannot be used: it crashed.'],
  ['ECONNREFUSED', 'The shared store cannot be used: its address refuses the connection.'],
  ['53400', 'The shared store cannot be used: it returned error 53400.'],
])('code %s is said in words', async (code, message) => {
  const { toStoreError } = await load();
  expect(toStoreError(errorWith(code))).toMatchObject({ message });
});
