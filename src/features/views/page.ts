/** The frame of every page: it loads nothing from other servers and runs only its own script. */
import { createHash } from 'node:crypto';
import { html, type Markup } from '../../core/text/html-template.ts';
import { clientScript } from './client-script.ts';
import { notDrawn } from './render/section.ts';
import { extraStyles, style } from './style.ts';

const toHashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Our own source, unescaped, because its hash must match. */
const verbatim = (markup: string): Markup => ({ markup });

/**
 * Returns one HTML document. The policy allows scripts by hash, so injected text cannot run even if escaping failed;
 * the policy of an MCP Apps host (inline allowed) permits these scripts too. Throws when a script contains `</script`,
 * which would end it early.
 */
export function buildPage(page: {
  readonly title: string;
  readonly look: 'view' | 'report';
  /** Default: `notDrawn`, in whose place the script of a view draws. */
  readonly main?: Markup;
  readonly styles?: readonly (keyof typeof extraStyles)[];
  /** Default: `clientScript`. */
  readonly scripts?: readonly string[];
}): string {
  const { main = notDrawn(page.title), scripts = [clientScript], styles = [] } = page;
  const rules = style + styles.map((name) => extraStyles[name]).join('');
  if (scripts.some((script) => /<\/script/i.test(script))) throw new Error('A script may not hold "</script".');
  const policy = `default-src 'none'; style-src ${toHashSource(rules)}; script-src ${scripts.map(toHashSource).join(' ')}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<style>${verbatim(rules)}</style>
</head>
<body class="${page.look}">
<main id="view">${main}</main>
${scripts.map((script) => html`<script>${verbatim(script)}</script>`)}
</body>
</html>
`.markup;
}
