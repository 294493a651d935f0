import { checkClock, checkRequest } from './connection-checks.ts';
import { ofEachAccount } from './context.ts';
import { checkPermissions, checkStateFolder } from './folder-checks.ts';
import { checkHandshakes } from './handshakes.ts';
import { checkHosts, checkServers } from './host-checks.ts';
import { checkNotifications } from './notification-checks.ts';
import { checkConfiguration, checkNode, checkProgram } from './program-checks.ts';
import type { DoctorCheck } from './run-checks.ts';
import { checkSecrets } from './secret-checks.ts';
import { checkStore, checkStoreFile } from './store-checks.ts';
import { checkApproval, checkAuditTrail, checkTrading, checkWebClients } from './trading-checks.ts';

/**
 * Order matters: checks that others depend on come first, and permissions are checked before opening the store narrows
 * them.
 */
export const checks: readonly DoctorCheck[] = [
  { name: 'node', seconds: 1, finds: 'a version of Node that is too old', run: checkNode },
  {
    name: 'program',
    seconds: 2,
    finds: 'a started program that differs from this one, or an older copy',
    run: checkProgram,
  },
  {
    name: 'configuration',
    seconds: 1,
    finds: 'settings that are missing, unknown or contradict each other',
    run: checkConfiguration,
  },
  { name: 'modes', seconds: 2, finds: 'files with secrets that other users can read or write', run: checkPermissions },
  {
    name: 'state folder',
    seconds: 2,
    finds: 'a folder that cannot be written, is shared over a network, or has less than 100 MB free',
    run: checkStateFolder,
  },
  {
    name: 'store',
    seconds: 6,
    finds: 'a store that cannot be opened, is newer than the program, is slow, or is not the one of before',
    run: checkStore,
  },
  {
    name: 'store file',
    seconds: 3,
    finds: 'a damaged file, tables or rows, and settings under which it could lose data',
    run: checkStoreFile,
  },
  { name: 'audit trail', seconds: 3, finds: 'records that were changed or removed', run: checkAuditTrail },
  {
    name: 'secrets',
    seconds: 4,
    finds: 'keys in configuration files of hosts, in the store and under version control',
    run: checkSecrets,
  },
  { name: 'hosts', seconds: 1, finds: 'entries of hosts that start another program or folder', run: checkHosts },
  {
    name: 'handshakes',
    seconds: 12,
    finds: 'a server that a host could not start; its start and the size of its tool list',
    run: checkHandshakes,
  },
  {
    name: 'request',
    seconds: 7,
    finds: 'a key, an address or a network that does not work, with one real request',
    run: ofEachAccount(checkRequest, { isOfOneRequest: true }),
  },
  { name: 'clock', seconds: 1, finds: 'a clock that differs from the service’s', run: ofEachAccount(checkClock) },
  {
    name: 'approval',
    seconds: 2,
    finds: 'an approval method that cannot reach a person',
    run: ofEachAccount(checkApproval),
  },
  {
    name: 'web clients',
    seconds: 2,
    finds: 'a public address at which no client of the web can log in',
    run: checkWebClients,
  },
  { name: 'trading', seconds: 2, finds: 'a halt, and orders whose outcome is unknown', run: checkTrading },
  {
    name: 'notify',
    seconds: 2,
    finds: 'a way to notify that failed, and needs other settings',
    run: checkNotifications,
  },
  { name: 'servers', seconds: 2, finds: 'other servers with this store, and their versions', run: checkServers },
];

/** Width of the column of names in the report. */
export const nameWidth = Math.max(...checks.map(({ name }) => name.length)) + 2;
