/** The layout of all pages. */
import { environmentLabels } from '../../text/environment-labels.ts';
import { type Html, html, unsafeRaw } from './html.ts';
import { script } from './page-script.ts';
import { style } from './page-style.ts';

export interface LayoutOptions {
  readonly title: string;
  /** The class for the colours of the environment. */
  readonly look: 'live' | 'calm';
  readonly banner: Html;
  readonly main: Html;
  /** Seconds until the page reloads in a browser without scripts. */
  readonly reloadAfter?: number | undefined;
}

// The content security policy has the hashes of these two, so they are sent unchanged.
const styleElement = unsafeRaw(`<style>${style}</style>`);
const scriptElement = unsafeRaw(`<script>${script}</script>`);

/** Seconds until a page that changes reloads itself in a browser without scripts. */
const reloadSeconds = 3;

/** A page about an account, with a banner of its environment. A page with typed text must not reload itself. */
export function accountPage(options: {
  readonly environment: string;
  /** The name of the account, where the owner has several. */
  readonly account?: string | undefined;
  readonly title: string;
  readonly reloads: boolean;
  readonly main: Html;
}): Html {
  const { account } = options;
  const { name, meaning, look } = environmentLabels(options.environment);
  return page({
    title: [options.title, name, ...(account === undefined ? [] : [account])].join(', '),
    look,
    reloadAfter: options.reloads ? reloadSeconds : undefined,
    banner: html`<header class="banner"><p><strong>${name}</strong>${account !== undefined && html` <strong>${account}</strong>`} <span>${meaning}</span></p></header>`,
    main: options.main,
  });
}

export const page = ({ title, look, banner, main, reloadAfter }: LayoutOptions): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${reloadAfter !== undefined && html`<noscript><meta http-equiv="refresh" content="${reloadAfter}"></noscript>`}
${styleElement}
</head>
<body class="${look}">
${banner}
${main}
${scriptElement}
</body>
</html>
`;
