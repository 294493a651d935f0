/**
 * A person's browser at the approval page, as far as needed: it reads the page, then submits the form that was shown.
 */
import type { Rig } from './harness.ts';
import { findSecrets } from './secrets.ts';

export interface PageAnswer {
  readonly action: 'approve' | 'reject';
  readonly passphrase?: string;
}

/** Returns the status of the response, and which secrets were in the bytes of the page. */
export async function answerPage(
  { recording, site: { secrets } }: Rig,
  address: string,
  answer: PageAnswer,
): Promise<{ readonly status: number; readonly leaks: readonly string[] }> {
  const shown = await fetch(address, { redirect: 'manual' });
  const html = await shown.text();
  const cookie = shown.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');
  const form = new URLSearchParams({
    action: answer.action,
    csrf: field(html, 'csrf'),
    digest: field(html, 'digest'),
    ...(answer.passphrase === undefined ? {} : { passphrase: answer.passphrase }),
  });
  const name = recording.seesPage(address, html);
  const isRight = answer.passphrase === secrets.passphrase;
  if (name) recording.decides(name, 'page', answer.action, isRight ? 'right' : 'wrong');
  const { origin } = new URL(address);
  const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await fetch(address, { method: 'POST', headers, body: form.toString(), redirect: 'manual' });
  const all = [html, await reply.text(), JSON.stringify([...shown.headers, ...reply.headers])].join('\n');
  return { status: reply.status, leaks: findSecrets(all, secrets).map((name) => `${name} on the page`) };
}

const field = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
