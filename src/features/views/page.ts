/** The frame of every page: it loads nothing from other servers and runs only its own script. */

import { createHash } from 'node:crypto';
import { html, type Markup } from '../../core/text/html-template.ts';
import { notDrawn } from './render/section.ts';
import { extraStyles, style } from './style.ts';

const toHashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What each page of paper has at its foot: the title, as a string of CSS. */
const footer = (title: string): string =>
  `@page{@bottom-left{content:"${title.replace(/[^\p{L}\p{N} ,.()/-]/gu, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)}"}}`;

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
  /** Default: `clientScript`; a report is also printed. */
  readonly scripts?: readonly string[];
}): string {
  const ownScript = page.look === 'report' ? clientScript + printScript : clientScript;
  const { main = notDrawn(page.title), scripts = [ownScript], styles = [] } = page;
  const rules =
    style + styles.map((name) => extraStyles[name]).join('') + (page.look === 'report' ? footer(page.title) : '');
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

/**
 * The interactive parts of the drawings, for the views and the report. It is sent unchanged, because the page's policy
 * contains its hash. Arrow keys move between marks, the line below a drawing describes the mark in focus or under the
 * pointer, and column heads sort a table. The page is readable without it. It listens on the document, so a drawing can
 * be added at any time.
 */
export const clientScript = `
(() => {
  'use strict';
  document.documentElement.classList.add('scripted');
  const findMark = (event) => (event.target instanceof Element ? event.target.closest('[data-mark]') : null);
  const tell = (mark) => {
    const line = mark.closest('section')?.querySelector('.readout');
    if (line) line.textContent = mark.getAttribute('aria-label');
  };
  document.addEventListener('pointerover', (event) => {
    const mark = findMark(event);
    if (mark) tell(mark);
  });
  document.addEventListener('focusin', (event) => {
    const mark = findMark(event);
    if (!mark) return;
    // One stop for the whole drawing: Tab leaves it, arrows stay inside.
    for (const other of mark.ownerSVGElement.querySelectorAll('[data-mark][tabindex="0"]')) other.setAttribute('tabindex', '-1');
    mark.setAttribute('tabindex', '0');
    tell(mark);
  });
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  document.addEventListener('keydown', (event) => {
    const mark = findMark(event);
    const step = steps[event.key];
    if (!mark || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const marks = [...mark.ownerSVGElement.querySelectorAll('[data-mark]')];
    const next = Math.min(marks.length - 1, Math.max(0, marks.indexOf(mark) + step));
    marks[next].focus();
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('th button') : null;
    if (!button) return;
    const head = button.closest('th');
    const heads = [...head.parentElement.children];
    const column = heads.indexOf(head);
    const goesUp = head.getAttribute('aria-sort') === 'descending' || (!head.hasAttribute('aria-sort') && !head.classList.contains('number'));
    const body = head.closest('table').tBodies[0];
    const getKey = (row) => row.children[column].getAttribute('data-key');
    const compare = (a, b) => {
      // What is unknown stays at the end, whichever way.
      if (a === '' || b === '') return (a === '' ? 1 : 0) - (b === '' ? 1 : 0);
      const order = head.classList.contains('number') ? a - b : a.localeCompare(b);
      return goesUp ? order : -order;
    };
    body.append(...[...body.rows].sort((a, b) => compare(getKey(a), getKey(b))));
    // Last, so that no head announces an order that its rows do not have.
    for (const other of heads) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', goesUp ? 'ascending' : 'descending');
  });
})();
`;

/** Browsers without ::details-content print what is open alone. */
const printScript = `
(() => {
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    for (const part of opened) part.open = true;
  });
  addEventListener('afterprint', () => {
    for (const part of opened) part.open = false;
  });
})();
`;
