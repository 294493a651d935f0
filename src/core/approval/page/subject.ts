/** What an address of the page shows and decides. The rules of requests are the same for all of them. */
import type { PassphraseRefusal } from '../../orders/intent/approval-port.ts';
import type { DecisionFormProps } from './decision-form.ts';
import type { Form } from './form.ts';
import type { Html } from './html.ts';
import type { Alert } from './labels.ts';

/** What the forms of the page can do. */
export type Action = 'approve' | 'reject' | 'stop';

export type SubjectDecision =
  | { readonly kind: 'approved' | 'rejected' | 'not_waiting' | 'changed' | 'all_placed' }
  | PassphraseRefusal;

/** Returns what a random handle shows; undefined when it has no recent ticket of this kind. */
export type FindSubject = (handle: string) => Promise<Subject | undefined>;

export interface Subject {
  /** Changes with everything that was shown. */
  readonly digest: string;
  /** Whether the page has a form now. */
  readonly hasForm: boolean;
  /** What the page polls for. */
  readonly status: {
    readonly state: string;
    readonly message: string;
    readonly secondsLeft: number;
    readonly done: boolean;
  };
  readonly actions: readonly Action[];
  render(answering: DecisionFormProps): Html;
  decide(action: Action, form: Form): Promise<SubjectDecision>;
  describeRefusal(refusal: PassphraseRefusal): Alert;
}
