/** The page as a browser, a program or an attacker requests it: over the address that the tool returned. */
import { type FormChange, loadForm, sendForm } from '../approval/page/support.ts';
import { passphrase } from './support.ts';

export interface Shown {
  readonly cookie: string;
  readonly csrf: string;
  readonly digest: string;
  readonly text: string;
}

/** The ticket as a browser gets it. */
export const look = (address: string): Promise<Shown> => loadForm(address);

export interface Press extends FormChange {
  readonly fields?: Record<string, string>;
  readonly shown?: Shown;
}

/** An approval as the page's own form submits it, except for what the attack changes. */
export async function press(address: string, { shown, fields, ...change }: Press = {}) {
  const { cookie, csrf, digest } = shown ?? (await look(address));
  return sendForm(address, cookie, { action: 'approve', csrf, digest, passphrase, ...fields }, change);
}
