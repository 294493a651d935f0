/**
 * Small records that live as long as the process. They implement the broker's port (broker/ports.ts) by structure.
 * States are copied on the way in and out, so that no caller can change a stored one, as with a record on disk.
 */
export function createMemoryRecords() {
  const rows = new Map<string, unknown>();
  const toName = (space: string, key: string) => JSON.stringify([space, key]);

  return {
    // There is no await between the read and the write, so no other caller can interfere.
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
