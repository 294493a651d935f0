/** The folders whose faults cost money, each with the tests that hold its rules. */
export interface MutatedFolder {
  /** Below `src`. */
  readonly source: string;
  /** Folders and files below `test`; the nearest first, because the first test that fails ends a search. */
  readonly tests: readonly string[];
}

export const folders = {
  intent: { source: 'orders/intent', tests: ['orders', 'security'] },
  risk: { source: 'orders/risk', tests: ['orders/risk', 'orders', 'security'] },
  send: { source: 'orders/send', tests: ['orders/send', 'orders', 'security'] },
  reconcile: { source: 'orders/reconcile', tests: ['orders/reconcile', 'orders', 'security'] },
  approval: { source: 'orders/approval', tests: ['orders/approval', 'orders', 'approval', 'security', 'drafting'] },
  enrollment: { source: 'orders/enrollment', tests: ['orders/enrollment', 'orders', 'security'] },
  book: { source: 'drafting/book', tests: ['drafting', 'security'] },
  planner: { source: 'drafting/planner', tests: ['drafting/planner'] },
  submission: { source: 'drafting/submission', tests: ['drafting', 'security'] },
  store: { source: 'store', tests: ['store', 'orders', 'drafting'] },
  'rate-limit': {
    source: 'broker/rate-limit',
    tests: ['broker/rate-limit', 'broker/interceptors', 'stored-times.test.ts', 'broker'],
  },
} as const satisfies Record<string, MutatedFolder>;
