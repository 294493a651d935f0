/** What the desk asks of the store. */
import type { Intent } from './intent.ts';
import type { IntentState } from './states.ts';

export interface Journal {
  insert(intent: Intent): Promise<void>;
  find(intentId: string): Promise<Intent | undefined>;
  /**
   * Compare-and-set: writes `change` when the intent is still in `from`, and says whether it was.
   * Durable before it resolves.
   */
  move(intentId: string, from: IntentState, change: Partial<Intent> & { state: IntentState }): Promise<boolean>;
  /** Newest first. */
  list(filter?: { readonly states?: readonly IntentState[] }): Promise<readonly Intent[]>;
}
