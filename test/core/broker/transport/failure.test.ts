import { expect, test } from 'vitest';
import { describeNetworkError, TransportFailure } from '../../../../src/core/broker/transport/failure.ts';

const withCode = <E extends Error>(error: E, code: string): E => Object.assign(error, { code });
const refused = withCode(new Error('connect ECONNREFUSED 10.0.0.7:443'), 'ECONNREFUSED');

test.each<[string, unknown, string | undefined, string]>([
  ['a known code', refused, 'ECONNREFUSED', 'the connection was refused (ECONNREFUSED)'],
  ['an unknown code', withCode(new Error('x'), 'EWHAT'), 'EWHAT', 'the connection failed (EWHAT)'],
  [
    'a code of a certificate',
    withCode(new Error('x'), 'CERT_HAS_EXPIRED'),
    'CERT_HAS_EXPIRED',
    'the certificate or the TLS connection failed (CERT_HAS_EXPIRED)',
  ],
  ['no code', new Error('10.0.0.7'), undefined, 'the connection failed'],
  ['no error', 'text', undefined, 'the connection failed'],
  [
    'several addresses without a code of their own',
    new AggregateError([refused, withCode(new Error('y'), 'ETIMEDOUT')]),
    'ECONNREFUSED',
    'the connection was refused (ECONNREFUSED)',
  ],
  [
    'several addresses with a code',
    withCode(new AggregateError([refused]), 'ETIMEDOUT'),
    'ETIMEDOUT',
    'the connection timed out (ETIMEDOUT)',
  ],
  ['no address at all', new AggregateError([]), undefined, 'the connection failed'],
])('a failure of the network is described by its code alone: %s', (_, error, code, message) => {
  expect(describeNetworkError(error)).toEqual({ code, message });
});

test('a failure keeps the code of the network, and the headers that had arrived', () => {
  const reason = { code: 'ECONNRESET', message: 'the connection was reset' };
  expect(new TransportFailure('broken', true, reason, { date: 'today' })).toMatchObject({
    ...{ kind: 'broken', sent: true, message: 'the connection was reset', networkCode: 'ECONNRESET' },
    headers: { date: 'today' },
  });
  expect(new TransportFailure('timeout', false, 'late')).toMatchObject({
    ...{ kind: 'timeout', sent: false, message: 'late', networkCode: undefined, headers: undefined },
  });
});
