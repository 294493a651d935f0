import { orElse } from '../../core/log.ts';
import { describeIntactChain } from '../../core/store/audit.ts';
import { describeLocation, storeFile } from '../../core/store/store-location.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, note, ok } from './finding.ts';

/** Checks the hash chain over every write, approval and refusal. */
export async function checkAuditTrail(context: DoctorContext): Promise<readonly Finding[]> {
  const chain = await context.parts().services.audit.verify().catch(orElse('doctor', undefined));
  if (!chain) return [note('Not checked: the store cannot be read.', 'Fix the problem reported by "store".')];
  if (chain.holds) return [ok(`${describeIntactChain(chain.rows)}.`)];
  const copy =
    'stateUrl' in context.place
      ? `pg_dump '${describeLocation(context.place)}' > evidence.sql`
      : `cp '${storeFile(context.stateDir)}' '${storeFile(context.stateDir)}.evidence'`;
  return [
    fault(
      `The chain is broken at record ${chain.brokenAt}: a record was changed, removed or added outside this program.`,
      `Keep a copy (${copy}), compare brokerage-mcp status with the orders in the broker’s application, and find out who else writes there.`,
    ),
  ];
}
