/**
 * An order journal that lives as long as the process. It satisfies the desk's port (orders/ports.ts)
 * by structure, because nothing here may import upwards.
 */
interface Row {
  readonly id: string;
  readonly state: string;
}

export function createMemoryJournal<Intent extends Row>() {
  const rows = new Map<string, Intent>();
  return {
    insert: async (intent: Intent) => {
      if (rows.has(intent.id)) throw new Error(`Intent ${intent.id} is in the journal already.`);
      rows.set(intent.id, intent);
    },
    find: async (intentId: string) => rows.get(intentId),
    move: async (intentId: string, from: string, change: Partial<Intent>) => {
      const row = rows.get(intentId);
      if (!row || row.state !== from) return false;
      rows.set(intentId, { ...row, ...change });
      return true;
    },
    list: async (filter: { readonly states?: readonly string[] } = {}) =>
      [...rows.values()].reverse().filter((row) => !filter.states || filter.states.includes(row.state)),
  };
}
