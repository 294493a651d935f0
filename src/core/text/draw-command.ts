/** Draws a command to type. */

import { html, type Markup } from './html-template.ts';

/** The command as code that wraps between its arguments only: an option that is cut at its hyphens cannot be read. */
export const drawCommand = (command: string): Markup =>
  html`<code class="command">${command.split(' ').map((part, index) => html`${index > 0 && html` `}<span>${part}</span>`)}</code>`;
