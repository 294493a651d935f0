/** What the broker asks of the store. The store satisfies it; the command line puts the two together. */
export interface KeyValueStore {
  /**
   * Changes one small record atomically, for every process that shares the store. `change` is given
   * the present state (undefined when there is none) and must be free of side effects, because an
   * engine may run it again. A `state` of undefined deletes the record.
   */
  update<State, Result>(
    namespace: string,
    key: string,
    change: (state: State | undefined) => { state: State | undefined; result: Result },
  ): Promise<Result>;
  read<State>(space: string, key: string): Promise<State | undefined>;
}
