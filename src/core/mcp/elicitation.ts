/** What a question to the user through the host is, and what comes back. A start loads this; its texts are in approval-form.ts. */

export type ElicitationRequest = QuestionState & { readonly message: string } & (
    | { readonly kind: 'form'; readonly schema: object }
    | { readonly kind: 'url'; readonly url: string }
  );

export interface ElicitationResult extends QuestionState {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The fields of the form, as the host sent them. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** What a question to the user leaves with the client, which returns it with the user's reply. */
interface QuestionState {
  /** One-time value of the question; it identifies what is approved. */
  readonly nonce: string;
  /** Whether the call that asked matched an earlier one. A client can change it, so only the words of a result use it. */
  readonly isRepeat?: boolean | undefined;
}

const repeatMark = '.repeat';

export const writeState = ({ nonce, isRepeat }: QuestionState): string => (isRepeat ? nonce + repeatMark : nonce);

export const readState = (state: string): QuestionState =>
  state.endsWith(repeatMark) ? { nonce: state.slice(0, -repeatMark.length), isRepeat: true } : { nonce: state };
