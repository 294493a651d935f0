import { checkApproval } from './approval.ts';
import { checkAuditTrail } from './audit-trail.ts';
import { checkClock } from './clock-check.ts';
import { checkConfiguration } from './configuration.ts';
import { checkHosts } from './configured-hosts.ts';
import { checkHandshakes } from './handshakes.ts';
import { checkNode } from './node.ts';
import { checkServers } from './other-servers.ts';
import { checkPermissions } from './permissions.ts';
import { checkProgram } from './program.ts';
import type { DoctorCheck } from './run-checks.ts';
import { checkSecrets } from './secrets.ts';
import { checkStateFolder } from './state-folder.ts';
import { checkStore } from './store.ts';
import { checkStoreFile } from './store-file.ts';
import { checkRequest } from './test-request.ts';
import { checkTrading } from './trading.ts';

/**
 * Order matters: checks that others depend on come first, and permissions are checked before opening the store narrows
 * them.
 */
export const checks: readonly DoctorCheck[] = [
  { name: 'node', seconds: 1, run: checkNode },
  { name: 'program', seconds: 2, run: checkProgram },
  { name: 'configuration', seconds: 1, run: checkConfiguration },
  { name: 'modes', seconds: 2, run: checkPermissions },
  { name: 'state folder', seconds: 2, run: checkStateFolder },
  { name: 'store', seconds: 6, run: checkStore },
  { name: 'store file', seconds: 3, run: checkStoreFile },
  { name: 'audit trail', seconds: 3, run: checkAuditTrail },
  { name: 'secrets', seconds: 4, run: checkSecrets },
  { name: 'hosts', seconds: 1, run: checkHosts },
  { name: 'handshakes', seconds: 12, run: checkHandshakes },
  { name: 'request', seconds: 7, run: checkRequest },
  { name: 'clock', seconds: 1, run: checkClock },
  { name: 'approval', seconds: 2, run: checkApproval },
  { name: 'trading', seconds: 2, run: checkTrading },
  { name: 'servers', seconds: 2, run: checkServers },
];

/** Width of the column of names in the report. */
export const nameWidth = Math.max(...checks.map(({ name }) => name.length)) + 2;
