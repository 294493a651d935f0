/** What a fresh program made of a store. */
export interface Outcome {
  /** Whether trading is halted, and stays it until the owner lifts it. */
  readonly halt: string;
  /** What an approval of each order and draft that waits comes to. */
  readonly approvals: readonly string[];
  readonly order: string;
  readonly draft: string;
  /** Drafts that the plan has for its period. */
  readonly planned: number;
  readonly plans: string;
  readonly history: string;
  readonly terminal: string;
  /** The orders that reached the service since the store was opened, as numbers of shares. */
  readonly sent: readonly number[];
}

/** What goes on in every store: new orders and drafts are sent once, and everything else works. */
export const works = {
  order: 'placed',
  draft: 'done',
  plans: 'due',
  history: 'read',
  terminal: 'right',
} as const;
