/** What an address of the page shows and decides. The rules of requests are the same for all of them. */

import type {
  OwnerProof,
  PasskeyRefusal,
  PassphraseRefusal,
  WrongPassphrases,
} from '../../orders/intent/approval-port.ts';
import { type Html, html } from './html.ts';
import { type Alert, describeWrongPassphrases, seconds } from './labels.ts';
import type { Form } from './request-guards.ts';

/** What the forms of the page can do. */
type Action = 'approve' | 'reject' | 'stop' | 'enrol';

export type SubjectDecision =
  | { readonly kind: 'approved' | 'rejected' | 'not_waiting' | 'changed' | 'all_placed' }
  | PassphraseRefusal
  | PasskeyRefusal;

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
  decide(action: Action, form: Form & { readonly proof?: OwnerProof | undefined }): Promise<SubjectDecision>;
  describeRefusal(refusal: PassphraseRefusal): Alert;
}

/** The passkeys of the owner, under the public name of the page. A feature brings them where that name is set. */
export interface PagePasskeys {
  /** Its script, for the policy. */
  readonly script: string;
  /** Whether one is enrolled for this page: then it approves here, and no passphrase does. */
  isEnrolled(): Promise<boolean>;
  /** What a form has instead of the field for the passphrase. It works once, for what has this digest. */
  drawFields(digest: string): Promise<Html>;
  /** What the response of a passkey proves, as the form sent it. */
  readProof(answer: string): OwnerProof;
}

// The forms for a decision. There are two, so that Enter in the passphrase field approves, and Enter before that
// rejects.

export interface DecisionFormProps {
  readonly path: string;
  readonly csrf: string;
  readonly alert: Alert | undefined;
  /** Takes the place of the passphrase. */
  readonly passkey?: Html | undefined;
}

/** What a decision is about. */
interface Decidable {
  readonly digest: string;
  readonly secondsLeft: number;
  readonly wrongPassphrases?: WrongPassphrases | undefined;
}

/** The usual time limit of an approval, as the full length of the bar; longer ones also fill it. */
const usualSeconds = 120;

/** The button that approves, and what unlocks a page that has none. */
interface ApproveProps {
  readonly label: string;
  readonly unlockHint: string;
}

export function decision(
  view: Decidable,
  { path, csrf, alert, passkey }: DecisionFormProps,
  approve: ApproveProps,
): Html {
  const isLocked = view.wrongPassphrases?.locked.includes('page') && !passkey;
  return html`
<section class="card decision" aria-labelledby="decide">
<h2 id="decide">Your decision</h2>
${countdown(view, path)}
${rejectForm(view, { path, csrf, alert })}
${
  isLocked
    ? !alert && html`<p class="hint">${approve.unlockHint}</p>`
    : approveForm(view, { path, csrf, passkey }, approve)
}
</section>`;
}

export function countdown({ secondsLeft }: Pick<Decidable, 'secondsLeft'>, path: string): Html {
  const most = Math.max(usualSeconds, secondsLeft);
  return html`<p class="countdown"><span id="left">${seconds(secondsLeft)}</span> left</p>
<progress id="bar" aria-hidden="true" max="${most}" value="${secondsLeft}"></progress>
<p id="moments" class="unseen" role="status"></p>
<noscript><p class="hint"><a href="${path}">Reload to see the seconds left.</a></p></noscript>`;
}

/** What a person has to know before deciding, at the top: the decision below stays small, and covers no order. */
export const decisionMessages = ({ wrongPassphrases: wrong }: Decidable, alert: Alert | undefined): Html =>
  html`${wrong && guesses(wrong)}${alert && alertBox(alert)}`;

export const guesses = (wrong: WrongPassphrases): Html =>
  html`<p class="alert guesses">${describeWrongPassphrases(wrong)}</p>`;

/** The fields that prove which ticket the decision is about, and that it comes from this page. */
const hiddenFields = (action: string, { digest, wrongPassphrases: wrong }: Decidable, csrf: string): Html =>
  html`<input type="hidden" name="action" value="${action}"
><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="digest" value="${digest}"
><input type="hidden" name="seen" value="${wrong?.count ?? 0}">`;

/** The focus is on its button, except where a message has it. */
const rejectForm = (view: Decidable, { path, csrf, alert }: DecisionFormProps): Html =>
  html`<form class="reject" method="post" action="${path}" accept-charset="utf-8">${hiddenFields('reject', view, csrf)}
<button id="reject-button" class="button quiet" type="submit"${!alert && html` autofocus`}>Reject</button>
</form>`;

export const stopForm = (view: Decidable, { path, csrf }: Omit<DecisionFormProps, 'alert'>): Html =>
  html`<form class="stop" method="post" action="${path}" accept-charset="utf-8">${hiddenFields('stop', view, csrf)}
<button class="button stop-button" type="submit">Stop</button>
<span>Orders that have not left are not sent.</span>
</form>`;

const approveForm = (
  view: Decidable,
  { path, csrf, passkey }: Omit<DecisionFormProps, 'alert'>,
  { label }: ApproveProps,
): Html =>
  html`<form class="approve" method="post" action="${path}" accept-charset="utf-8">${hiddenFields('approve', view, csrf)}
${passkey ?? passphraseField}
<button class="button" type="submit">${label}</button>
</form>`;

const passphraseField = html`<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" required maxlength="1000" autocomplete="off"
 autocapitalize="none" spellcheck="false" placeholder="Passphrase" data-1p-ignore data-lpignore="true">`;

export const alertBox = ({ title, next }: Alert): Html =>
  html`<p id="alert" class="alert" role="alert" tabindex="-1" autofocus><strong>${title}</strong> ${next}</p>`;
