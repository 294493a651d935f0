/** The store interface that the broker needs. The store implements it; the composition root connects the two. */
export interface KeyValueStore {
  /**
   * Changes one small record atomically for all processes that share the store. `change` gets the current state
   * (undefined if there is none) and must have no side effects, because an engine may run it again. A `state` of
   * undefined deletes the record.
   */
  update<State, Result>(
    namespace: string,
    key: string,
    change: (state: State | undefined) => { state: State | undefined; result: Result },
  ): Promise<Result>;
  /** The state of a record; undefined if there is none. */
  read<State>(space: string, key: string): Promise<State | undefined>;
}
