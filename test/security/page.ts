/** The page as a browser, a program or an attacker requests it: over the address that the tool returned. */
import { expect, test } from 'vitest';
import { type FormChange, loadForm, sendForm } from '../core/approval/page/support.ts';
import { noteLook, notePress } from './recording.ts';
import { passphrase } from './support.ts';

export interface Shown {
  readonly cookie: string;
  readonly csrf: string;
  readonly digest: string;
  readonly text: string;
}

/** The ticket as a browser gets it. */
export async function look(address: string): Promise<Shown> {
  const page = await loadForm(address);
  noteLook(address, page);
  return page;
}

export interface Press extends FormChange {
  readonly fields?: Record<string, string>;
  readonly shown?: Shown;
}

/** An approval as the page's own form submits it, except for what the attack changes. */
export async function press(address: string, { shown, fields, ...change }: Press = {}) {
  const page = shown ?? (await look(address));
  const { cookie, csrf, digest } = page;
  if (isOfThePage(change, fields)) notePress(address, page, fields ?? {}, passphrase);
  return sendForm(address, cookie, { action: 'approve', csrf, digest, passphrase, ...fields }, change);
}

/** Whether a browser would send it so. */
const isOfThePage = (change: FormChange, fields: Press['fields'] = {}) =>
  Object.keys(change).length === 0 && !('csrf' in fields) && !('digest' in fields);

/** A request that is no decision: what it is, the status that it gets, and how it differs from the page's own form. */
export type Forgery = [name: string, status: number, change: Press | (() => Press | Promise<Press>)];

/** Tests that none of the requests approves what waits at the address; `stillWaits` checks it after each. */
export function testForgeries(
  forgeries: readonly Forgery[],
  getAddress: () => string,
  stillWaits: () => Promise<void>,
): void {
  test.each(forgeries)('the right passphrase %s gets %i and approves nothing', async (_, status, change) => {
    const answer = await press(getAddress(), typeof change === 'function' ? await change() : change);
    expect(answer.status).toBe(status);
    await stillWaits();
  });

  test.each(['action', 'csrf', 'digest', 'passphrase'])('the form with its %s twice approves nothing', async (name) => {
    const shown = await look(getAddress());
    const fields = new URLSearchParams({ action: 'approve', csrf: shown.csrf, digest: shown.digest, passphrase });
    fields.append(name, fields.get(name) ?? '');
    await press(getAddress(), { body: fields.toString(), shown });
    await stillWaits();
  });
}
