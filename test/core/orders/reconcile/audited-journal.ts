/** A journal in memory whose audit trail a test can read. */
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/core/clock.ts';
import type { Intent } from '../../../../src/core/orders/intent/intent.ts';
import type { Journal } from '../../../../src/core/orders/intent/journal-port.ts';
import { createJournal } from '../../../../src/core/store/journal-table.ts';
import { createMemoryEngine } from '../../../support/memory-engine.ts';

interface AuditRow {
  readonly environment: string;
  readonly kind: string;
  readonly data: string;
}

export async function openAuditedJournal(clock: Clock) {
  const engine = await createMemoryEngine();
  onTestFinished(() => engine.close());
  const journal = createJournal<Intent, never>(engine, clock) as unknown as Journal;
  /** The entries of one kind, oldest first. */
  const listAudit = async (kind: string) => {
    const rows = await engine.read((db) =>
      db.all<AuditRow>('SELECT environment, kind, data FROM audit WHERE kind = ? ORDER BY seq', kind),
    );
    return rows.map(({ environment, data }) => ({ environment, ...(JSON.parse(data) as object) }));
  };
  return { journal, listAudit };
}
