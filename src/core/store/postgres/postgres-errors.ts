/** Maps errors of the driver to reasons why the database cannot be used; other errors are bugs and stay unchanged. */
import { BrokerageError, type StoreFault } from '../../errors.ts';
import { storeUnavailable } from '../engine.ts';

const next =
  'Check that PostgreSQL is running and that BROKER_STATE_URL is correct; this program reconnects automatically.';

/** Builds `store_unavailable` for the shared store. */
export const sharedStoreUnavailable = (fault: StoreFault, why: string) =>
  storeUnavailable(fault, why, { which: 'shared', next });

/** The fault code, and its description. */
type Reason = readonly [fault: StoreFault, words: string];

/** No response arrived, which takes seconds to detect; a server that refuses responds at once. */
const noResponse: Reason = ['no_answer', 'it does not respond in time'];

/** Whether the error means that the database did not respond in time. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof BrokerageError && error.cause?.store === 'no_answer';

const noTables: Reason = ['no_tables', 'its tables do not exist'];
const changeTooLong: Reason = ['too_slow', 'a change took too long'];

/** Reasons by the server's error code (SQLSTATE). */
const reasons: Readonly<Record<string, Reason>> = {
  '28000': ['access_denied', 'it denies access to this user'],
  '28P01': ['access_denied', 'the password of BROKER_STATE_URL is wrong'],
  '3D000': ['no_database', 'the database that BROKER_STATE_URL names does not exist'],
  '3F000': noTables,
  '42P01': noTables,
  '42501': ['no_permission', 'this user is not allowed to create or use the tables'],
  '25006': ['standby', 'it is read-only (a standby)'],
  '53100': ['disk_full', 'its disk is full'],
  '53200': ['out_of_memory', 'it is out of memory'],
  '53300': ['no_connection_left', 'it has no free connection'],
  '55P03': ['held', 'another program has locked it for too long'],
  '57014': ['too_slow', 'it took too long'],
  '57P01': ['shut_down', 'it was shut down'],
  '57P02': ['crashed', 'it crashed'],
  '57P03': ['starting', 'it is starting or shutting down'],
  '25P03': changeTooLong,
  '25P04': changeTooLong,
};

const hostUnreachable: Reason = ['unreachable', 'its host cannot be reached'];
const connectionBroke: Reason = ['connection_broken', 'the connection was lost'];

const connectionReasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: ['unreachable', 'its address refuses the connection'],
  ENOENT: ['unreachable', 'there is no socket at its address'],
  ENOTFOUND: ['unreachable', 'its host name is unknown'],
  EAI_AGAIN: ['unreachable', 'its host name cannot be resolved'],
  ETIMEDOUT: noResponse,
  EHOSTUNREACH: hostUnreachable,
  ENETUNREACH: hostUnreachable,
  ECONNRESET: connectionBroke,
  EPIPE: connectionBroke,
};

/** Converts an error of the driver to `store_unavailable`. Errors that are not about the database stay unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    const reason = reasons[code] ?? connectionReasons[code];
    if (reason !== undefined) return sharedStoreUnavailable(...reason);
    // Codes of the classes 08, 53, 57, 58 and XX are about the server.
    if (/^(08|53|57|58|XX)[0-9A-Z]{3}$/.test(code))
      return sharedStoreUnavailable('server_trouble', `it returned error ${code}`);
    if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL'))
      return sharedStoreUnavailable('certificate', 'its certificate is not trusted');
  }
  // The driver has no codes for errors that it detects itself.
  if (/timeout|timed out/i.test(error.message)) return sharedStoreUnavailable(...noResponse);
  if (/connection|terminated|not queryable|socket|SSL|SASL|certificate/i.test(error.message))
    return sharedStoreUnavailable('connection_broken', 'the connection could not be established or was lost');
  return error;
}
