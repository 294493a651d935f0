/** Why the database cannot be used, in words; and what is a mistake of ours instead. */
import { BrokerageError } from '../../errors.ts';
import { storeUnavailable } from '../engine.ts';

const next = 'Check that PostgreSQL runs and what BROKER_STATE_URL says; this program comes back by itself.';

export const sharedStoreUnavailable = (why: string) => storeUnavailable(why, { which: 'shared', next });

/** Nothing came back at all, which takes seconds to notice; a server that says no says so at once. */
const noAnswer = 'it does not answer in time';

export const isSilence = (error: unknown): boolean =>
  error instanceof BrokerageError && error.message === sharedStoreUnavailable(noAnswer).message;

/** By the code of the server (SQLSTATE). */
const reasons: Readonly<Record<string, string>> = {
  '28000': 'it does not let this user in',
  '28P01': 'the password of BROKER_STATE_URL is wrong',
  '3D000': 'the database that BROKER_STATE_URL names does not exist',
  '3F000': 'its tables are gone',
  '42P01': 'its tables are gone',
  '42501': 'this user may not create or use the tables',
  '25006': 'it can only be read (a standby)',
  '53100': 'its disk is full',
  '53200': 'it is out of memory',
  '53300': 'it has no connection left',
  '55P03': 'another program holds it for too long',
  '57014': 'it took too long',
  '57P01': 'it was shut down',
  '57P02': 'it crashed',
  '57P03': 'it is starting or shutting down',
  '25P03': 'a change took too long',
  '25P04': 'a change took too long',
};

const connectionReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOENT: 'there is no socket at its address',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
};

/** An error of the driver as `store_unavailable`; what is none of the database's troubles stays as it is. */
export function readable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') {
    const reason = reasons[code] ?? connectionReasons[code];
    if (reason !== undefined) return sharedStoreUnavailable(reason);
    // Classes 08, 53, 57, 58 and XX are about the server, whatever came of it.
    if (/^(08|53|57|58|XX)[0-9A-Z]{3}$/.test(code)) return sharedStoreUnavailable(`it says ${code}`);
    if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL'))
      return sharedStoreUnavailable('its certificate is not trusted');
  }
  // The driver has no codes for what it notices by itself.
  if (/timeout|timed out/i.test(error.message)) return sharedStoreUnavailable(noAnswer);
  if (/connection|terminated|not queryable|socket|SSL|SASL|certificate/i.test(error.message))
    return sharedStoreUnavailable('the connection cannot be made or broke');
  return error;
}
