/** The shell that all pages share. */
import { type Html, html, unsafeRaw } from './html.ts';
import { script } from './page-script.ts';
import { style } from './page-style.ts';

export interface LayoutOptions {
  readonly title: string;
  /** A class of the colours that go with the environment. */
  readonly look: 'live' | 'calm';
  readonly banner: Html;
  readonly main: Html;
  /** Without a script: seconds until the page loads itself again. */
  readonly reloadAfter?: number | undefined;
}

// The hashes of these two are in the policy: they are sent exactly as they are.
const styleElement = unsafeRaw(`<style>${style}</style>`);
const scriptElement = unsafeRaw(`<script>${script}</script>`);

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
