/**
 * Passkeys on the approval page, and the page on which a device makes one. The build makes it a separate file with the
 * library for them, which is loaded only where the page has a public address.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  alertBox,
  countdown,
  type FindSubject,
  type PagePasskeys,
  type Subject,
  type SubjectDecision,
} from '../../core/approval/page/decision-form.ts';
import { type Html, html, unsafeRaw } from '../../core/approval/page/html.ts';
import { accountPage } from '../../core/approval/page/layout.ts';
import type { Clock } from '../../core/clock.ts';
import type { OwnerProof, PasskeyProblem } from '../../core/orders/intent/approval-port.ts';
import type { Journal } from '../../core/orders/intent/journal-port.ts';
import { isSameText } from '../../core/text/same-text.ts';
import { type Adding, keepMade, numberOf, readAdding, readPasskeys, usePasskey } from './kept-passkeys.ts';
import { algorithms, readAnswer, relyingParty, verifyAssertion, verifyRegistration } from './verify-passkey.ts';

export interface PasskeyPlace {
  readonly journal: Pick<Journal, 'read' | 'change'>;
  readonly clock: Clock;
  /** The public origin of the page. */
  readonly origin: string;
  readonly environment: string;
}

/** How long (ms) a response can be given: as long as the longest approval, of thirty orders. */
const nonceMs = 420_000;
/** Each page that is drawn has one. */
const maxNonces = 200;
/** A wrong response is noted at most once in this time (ms), so that they do not fill the audit trail. */
const noteMs = 60_000;

export function createPagePasskeys(deps: PasskeyPlace): PagePasskeys {
  const { journal, clock, origin } = deps;
  const nonces = new Map<string, number>();
  let notedAt = -noteMs;
  const list = () => journal.read((tx) => readPasskeys(tx, origin));

  /** Whether it was given to a page a short time ago; only once. */
  const spend = (nonce: string): boolean => {
    const endsAt = nonces.get(nonce) ?? 0;
    nonces.delete(nonce);
    return clock.now() < endsAt;
  };
  /**
   * A wrong response neither locks nor delays: a signature cannot be guessed, so a lock would only help others to keep
   * the owner from approving.
   */
  const refuse = async (problem: PasskeyProblem, name: string | undefined) => {
    if (Math.abs(clock.now() - notedAt) >= noteMs) {
      notedAt = clock.now();
      await journal.change((tx) => tx.note('all', 'wrong_passkey', { problem, name }));
    }
    return { kind: 'passkey_refused', problem } as const;
  };

  const check: (answer: string) => OwnerProof['check'] =
    (answer) =>
    async (digest, seen = 0) => {
      const fields = readAnswer(answer);
      if (!fields) return refuse('malformed', undefined);
      const { nonce = '', id = '' } = fields;
      if (!spend(nonce)) return refuse('not_asked', undefined);
      const passkey = (await list()).find((one) => isSameText(one.id, id));
      if (!passkey) return refuse('unknown', undefined);
      const checked = await verifyAssertion(fields, { challenge: challengeFor(nonce, digest), origin }, passkey);
      if ('problem' in checked) return refuse(checked.problem, passkey.name);
      const problem = await journal.change((tx) => usePasskey(tx, passkey, checked.counter, clock.now(), seen));
      return problem ? refuse(problem, passkey.name) : { kind: 'right' };
    };

  return {
    script,
    isEnrolled: async () => (await list()).length > 0,
    drawFields: async (digest) => {
      const nonce = randomBytes(32).toString('base64url');
      nonces.set(nonce, clock.now() + nonceMs);
      const [oldest] = nonces.keys();
      if (nonces.size > maxNonces && oldest !== undefined) nonces.delete(oldest);
      const get = {
        challenge: challengeFor(nonce, digest),
        rpId: relyingParty({ origin }),
        allowCredentials: (await list()).map(({ id }) => ({ type: 'public-key', id })),
        userVerification: 'required',
      };
      return fieldsFor(
        { nonce, get },
        'Your device asks whether it is you. The passkey approves exactly what is shown here.',
      );
    },
    readProof: (answer) => ({ check: check(answer) }),
  };
}

/** What a passkey signs: this page, once, and what is approved. Another digest is another challenge. */
const challengeFor = (nonce: string, digest: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['approve', nonce, digest]))
    .digest('base64url');

/** The fields of a form whose button asks the device. */
const fieldsFor = (options: object, hint: string): Html => html`<p class="hint">${hint}</p>
<input type="hidden" id="passkey" name="passkey" data-options="${unsafeRaw(escapeAll(JSON.stringify(options)))}">
<p id="no-passkey" class="alert" role="alert" hidden>No passkey was used, so nothing was sent. Try again, or use the machine of the server.</p>
<noscript><p class="alert">A passkey needs scripts: switch them on for this page.</p></noscript>
${scriptElement}`;

/** The template would cut it, as it cuts every long text. */
const escapeAll = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Asks the device when the form is sent, and sends it with the response. Everything in JSON is base64url. */
const script = `
(() => {
  'use strict';
  const field = document.getElementById('passkey');
  if (!field) return;
  field.value = '';
  const { nonce, get, create } = JSON.parse(field.dataset.options);
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const toText = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const withBytes = (list) => list.map((one) => ({ ...one, id: toBytes(one.id) }));
  const ask = async () => {
    if (create) {
      const made = await navigator.credentials.create({
        publicKey: {
          ...create,
          challenge: toBytes(create.challenge),
          user: { ...create.user, id: toBytes(create.user.id) },
          excludeCredentials: withBytes(create.excludeCredentials),
        },
      });
      const { clientDataJSON, attestationObject } = made.response;
      return { id: made.id, clientDataJSON: toText(clientDataJSON), attestationObject: toText(attestationObject) };
    }
    const found = await navigator.credentials.get({
      publicKey: { ...get, challenge: toBytes(get.challenge), allowCredentials: withBytes(get.allowCredentials) },
    });
    const { clientDataJSON, authenticatorData, signature } = found.response;
    return {
      nonce,
      id: found.id,
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
    };
  };
  const { form } = field;
  const none = document.getElementById('no-passkey');
  form.addEventListener('submit', (event) => {
    if (field.value !== '') return;
    event.preventDefault();
    event.stopPropagation();
    none.hidden = true;
    const send = (response) => {
      field.value = JSON.stringify(response);
      form.requestSubmit();
    };
    // The person closed the window of the device, or it has no passkey.
    ask().then(send, () => {
      none.hidden = false;
    });
  });
})();
//# sourceURL=passkey-script.js
`;

const scriptElement = unsafeRaw(`<script>${script}</script>`);

// The page on which a device makes a passkey. It is at an address that the terminal shows.

/** Finds the passkey that is being added. */
export const findAdding =
  (deps: PasskeyPlace): FindSubject =>
  async (handle) => {
    const adding = await deps.journal.read(readAdding);
    if (!adding || !isSameText(adding.handle, handle) || adding.origin !== deps.origin) return undefined;
    const secondsLeft = Math.max(0, Math.ceil((adding.endsAt - deps.clock.now()) / 1000));
    const others = await deps.journal.read((tx) => readPasskeys(tx, deps.origin));
    return addingSubject(deps, adding, secondsLeft, others);
  };

function addingSubject(
  deps: PasskeyPlace,
  adding: Adding,
  secondsLeft: number,
  others: readonly { readonly id: string }[],
): Subject {
  const { name, handle, challenge, userId, origin, made } = adding;
  const isOpen = !made && secondsLeft > 0;
  const state = made ? 'made' : isOpen ? 'open' : 'ended';
  const message = made
    ? 'Type this number into the terminal.'
    : isOpen
      ? 'Waiting for the device.'
      : 'The time is over.';
  const create = {
    challenge,
    rp: { id: relyingParty({ origin }), name: 'Order approval' },
    user: { id: userId, name, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: others.map(({ id }) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([handle, state]))
    .digest('base64url');
  return {
    digest,
    hasForm: isOpen,
    status: { state, message, secondsLeft: isOpen ? secondsLeft : 0, done: !isOpen },
    actions: ['enrol'],
    render: ({ path, csrf, alert }) =>
      accountPage({
        environment: deps.environment,
        title: `Add the passkey “${name}”`,
        reloads: false,
        main: html`
<main id="ticket" data-state="${state}" data-message="${message}" data-seconds="${secondsLeft}" data-open="${
          isOpen ? 'yes' : 'no'
        }" data-done="${isOpen ? 'no' : 'yes'}">
<h1>Add the passkey “${name}”</h1>
<p id="lost" class="alert" role="status" hidden>The server does not respond. Continue in the terminal.</p>
<section class="card" aria-labelledby="outcome">
<h2 id="outcome" tabindex="-1">${message}</h2>
${alert && alertBox(alert)}
${
  made &&
  html`<p class="code"><strong>${numberOf(made)}</strong></p>
<p class="hint">Only then can this device approve. You can close this page.</p>`
}
${
  isOpen &&
  html`${countdown({ secondsLeft }, path)}
<form class="approve" method="post" action="${path}" accept-charset="utf-8"
><input type="hidden" name="action" value="enrol"><input type="hidden" name="csrf" value="${csrf}"
><input type="hidden" name="digest" value="${digest}">
${fieldsFor({ create }, 'From then on this device approves orders and drafts on this site. It asks whether it is you, each time.')}
<button class="button" type="submit">Add this device</button>
</form>`
}
</section>
</main>`,
      }),
    decide: (_action, form) => addMade(deps, adding, form.passkey),
    describeRefusal: () => ({ status: 403, title: 'Nothing was added.', next: 'Start again in the terminal.' }),
  };
}

async function addMade(
  deps: PasskeyPlace,
  { handle, challenge, endsAt, made }: Adding,
  text: string,
): Promise<SubjectDecision> {
  if (made || deps.clock.now() >= endsAt) return { kind: 'not_waiting' };
  const fields = readAnswer(text);
  const verified = fields
    ? await verifyRegistration(fields, { challenge, origin: deps.origin })
    : { problem: 'malformed' as const };
  if ('problem' in verified) return { kind: 'passkey_refused', problem: verified.problem };
  const isKept = await deps.journal.change((tx) => keepMade(tx, handle, verified));
  return { kind: isKept ? 'approved' : 'not_waiting' };
}
