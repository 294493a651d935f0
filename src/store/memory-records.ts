/**
 * Small records that live as long as the process. It satisfies the broker's port (broker/ports.ts) by
 * structure. States are copied on the way in and out, so that nobody can change one behind its back,
 * just as if it had been written to a disk.
 */
export function createMemoryRecords() {
  const rows = new Map<string, unknown>();
  const toName = (space: string, key: string) => JSON.stringify([space, key]);

  return {
    // Between reading and writing there is no await, so no other caller can come in between.
    update: async <State, Result>(
      namespace: string,
      key: string,
      change: (state: State | undefined) => { state: State | undefined; result: Result },
    ): Promise<Result> => {
      const name = toName(namespace, key);
      const { state, result } = change(structuredClone(rows.get(name)) as State | undefined);
      if (state === undefined) rows.delete(name);
      else rows.set(name, structuredClone(state));
      return result;
    },
    read: async <State>(space: string, key: string): Promise<State | undefined> =>
      structuredClone(rows.get(toName(space, key))) as State | undefined,
  };
}
