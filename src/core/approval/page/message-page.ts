import { type Html, html } from './html.ts';
import { page } from './layout.ts';

/** A page without a ticket. It repeats nothing of the request. */
export const plainPage = (title: string, next: string): Html =>
  page({
    title,
    look: 'calm',
    banner: html`<header class="banner"><p><strong>Order approval</strong></p></header>`,
    main: html`<main class="plain"><h1>${title}</h1><p>${next}</p></main>`,
  });
