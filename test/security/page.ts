/** The page as a browser, a program or an attacker requests it: over the address that the tool returned. */
import { type Sent, sendTo } from '../approval/page/support.ts';
import { passphrase } from './support.ts';

export interface Shown {
  readonly cookie: string;
  readonly csrf: string;
  readonly digest: string;
  readonly text: string;
}

/** The ticket as a browser gets it: its fields, and the cookie that goes with it. */
export async function look(address: string): Promise<Shown> {
  const { headers, text } = await sendTo(address, {});
  return {
    cookie: String(headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
    csrf: /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '',
    digest: /name="digest" value="([^"]*)"/.exec(text)?.[1] ?? '',
    text,
  };
}

export interface Press {
  readonly fields?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly without?: readonly string[];
  readonly body?: string;
  readonly method?: string;
  readonly target?: string;
  readonly shown?: Shown;
}

/** An approval as the page's own form submits it, except for what the attack changes. */
export async function press(address: string, change: Press = {}) {
  const { cookie, csrf, digest } = change.shown ?? (await look(address));
  const headers: Record<string, string> = {
    origin: new URL(address).origin,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    cookie,
    ...change.headers,
  };
  for (const name of change.without ?? []) delete headers[name];
  const fields = { action: 'approve', csrf, digest, passphrase, ...change.fields };
  const sent: Sent = {
    method: change.method ?? 'POST',
    headers,
    body: change.body ?? new URLSearchParams(fields).toString(),
    ...(change.target === undefined ? {} : { target: change.target }),
  };
  return sendTo(address, sent);
}
