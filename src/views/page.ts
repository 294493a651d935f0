/** The shell of every page: nothing from elsewhere is loaded, and no script runs but its own. */
import { createHash } from 'node:crypto';
import { clientScript } from './client-script.ts';
import { html, type Markup } from './render/html-template.ts';
import { style } from './style.ts';

const toHashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Source of ours, exactly as it is hashed. */
const verbatim = (markup: string): Markup => ({ markup });

/**
 * One HTML document. The policy names the scripts by their hashes, so that even text which slipped through
 * the escaping could not run; an MCP Apps host's own policy (inline allowed) lets them pass as well.
 * Throws when a script holds `</script`, which would end it early.
 */
export function buildPage(page: {
  readonly title: string;
  readonly look: 'view' | 'report';
  readonly main: Markup;
  readonly script?: string;
}): string {
  const scripts = [clientScript, page.script].filter((script) => script !== undefined);
  if (scripts.some((script) => /<\/script/i.test(script))) throw new Error('A script may not hold "</script".');
  const policy = `default-src 'none'; style-src ${toHashSource(style)}; script-src ${scripts.map(toHashSource).join(' ')}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<style>${verbatim(style)}</style>
</head>
<body class="${page.look}">
<main id="view">${page.main}</main>
${scripts.map((script) => html`<script>${verbatim(script)}</script>`)}
</body>
</html>
`.markup;
}
