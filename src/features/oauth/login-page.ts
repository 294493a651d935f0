/** The login page: what a client asks for, where the browser goes next, and the owner’s passphrase. */

import { alertBox } from '../../core/approval/page/decision-form.ts';
import { type Html, html } from '../../core/approval/page/html.ts';
import type { Alert } from '../../core/approval/page/labels.ts';
import { accountPage, page } from '../../core/approval/page/layout.ts';
import type { Scope } from '../../core/mcp/tool-listing.ts';
import type { Environment } from '../../core/settings/config.ts';
import { environmentLabels } from '../../core/text/environment-labels.ts';
import { createHtmlTemplate } from '../../core/text/html-template.ts';
import { isDocumentId } from './client-document.ts';
import { type Client, type Place, readRedirect } from './web-client.ts';

export interface LoginView {
  readonly client: Client;
  readonly redirect: string;
  /** What the client asked for, which ticks no box by which orders are placed. */
  readonly wanted: Scope;
  /** What the server can give at most. */
  readonly offered: readonly Scope[];
  readonly environment: Environment;
  /** Whether orders wait for the owner. */
  readonly needsApproval: boolean;
  /** The public host of this server. */
  readonly host: string;
  readonly hasPassphrase: boolean;
  /** What the form sends back: it proves that this page made it. */
  readonly hidden: Readonly<Record<string, string>>;
  readonly alert?: Alert | undefined;
  /** The boxes that were ticked before a wrong passphrase. */
  readonly ticked?: readonly Scope[] | undefined;
}

export const loginPath = '/oauth/authorize';

export function loginPage(view: LoginView): Html {
  const { client, environment, host, alert } = view;
  return accountPage({
    environment,
    title: `Connect ${client.name}?`,
    reloads: false,
    main: html`
<main class="login">
<h1>Connect <bdi>${client.name}</bdi>?</h1>
<p class="sum">It asks to use your account through <bdi>${host}</bdi>.</p>
${goesTo(view)}
${alert && alertBox(alert)}
${view.hasPassphrase ? loginForm(view) : notEnrolled}
</main>`,
  });
}

const notEnrolled = html`<p class="alert" role="alert"><strong>No passphrase is enrolled, so no client can connect.</strong> Run “brokerage-mcp enroll” in a terminal of the server’s machine, then open this page again.</p>`;

/** Where the access goes: what an attacker cannot choose freely, so it is larger than the name. */
function goesTo({ client, redirect }: LoginView): Html {
  const place = readRedirect(redirect);
  const from = isDocumentId(client.id) ? new URL(client.id).host : undefined;
  return html`
<section class="card goes-to" aria-labelledby="goes-to">
<h2 id="goes-to">Access goes to</h2>
<p class="place-name"><bdi>${place?.name}</bdi></p>
<p class="soft">${place && placeNotes[place.kind]} ${
    from === undefined
      ? 'The name above is the client’s own and is not verified.'
      : html`The name above is from <bdi>${from}</bdi>.`
  }</p>
</section>`;
}

const placeNotes: Readonly<Record<Place['kind'], string>> = {
  site: 'A site. Connect only if you know it and started this there.',
  device: 'A program on the device that shows this page. Connect only if you started this there.',
  program: 'The program of this device that opens these addresses. Connect only if you started this there.',
};

type Ordering = Pick<LoginView, 'environment' | 'needsApproval'>;

const boxTexts: Readonly<Record<Exclude<Scope, 'read'>, (ordering: Ordering) => string>> = {
  draft: () => 'Draft orders. It sends none: you do.',
  trade: ({ environment, needsApproval }) => {
    const how = needsApproval
      ? 'Each order still needs your approval on the server’s machine.'
      : 'They are placed at once, without your approval.';
    return `Place, cancel and change orders. ${how} ${environmentLabels(environment).meaning}.`;
  },
};

function loginForm(view: LoginView): Html {
  const { offered, wanted, ticked } = view;
  const isTicked = (scope: Scope) => (ticked ? ticked.includes(scope) : scope === 'draft' && wanted !== 'read');
  const box = (scope: Exclude<Scope, 'read'>) =>
    html`<label class="box"><input type="checkbox" name="${scope}" value="yes"${isTicked(scope) && html` checked`}> <span>${boxTexts[scope](view)}</span></label>`;
  return html`
<form class="card login-form" method="post" action="${loginPath}" accept-charset="utf-8">${hiddenFields(view.hidden)}
<h2>It may</h2>
<p class="box"><input type="checkbox" checked disabled aria-hidden="true"> <span>Read the account: positions, orders, history, figures.</span></p>
${offered.includes('draft') && box('draft')}
${offered.includes('trade') && box('trade')}
<label for="passphrase">Passphrase</label>
<input id="passphrase" name="passphrase" type="password" maxlength="1000" autocomplete="off"
 autocapitalize="none" spellcheck="false" data-1p-ignore data-lpignore="true">
<p class="buttons"><button class="button" type="submit" name="action" value="connect">Connect</button>
<button class="button quiet" type="submit" name="action" value="cancel">Cancel</button></p>
</form>`;
}

/** A field holds its value to the letter, however long it is. */
const exact = createHtmlTemplate((text) => text, String);

const hiddenFields = (fields: LoginView['hidden']): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => exact`<input type="hidden" name="${name}" value="${value}">`);

/** A page without a client: the problem, and what to do. It repeats nothing of the request. */
export const problemPage = (title: string, next: string): Html =>
  page({
    title,
    look: 'calm',
    banner: html`<header class="banner"><p><strong>Connect a client</strong></p></header>`,
    main: html`<main class="plain"><h1>${title}</h1><p>${next}</p></main>`,
  });
