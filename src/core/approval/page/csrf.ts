/**
 * Proves that a form comes from a page of this server. A page of another origin can neither read the token nor make
 * the browser send the cookie; the token also identifies the ticket that was on the page.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Csrf {
  /** The value of the session cookie; valid as long as this process runs. */
  readonly session: string;
  token(handle: string, digest: string): string;
  isValid(answer: { session: string; token: string; handle: string; digest: string }): boolean;
}

export function createCsrf(): Csrf {
  const secret = randomBytes(32);
  const session = randomBytes(32).toString('base64url');
  const tokenFor = (cookie: string, handle: string, digest: string) =>
    // JSON, so that two different triples never produce the same text.
    createHmac('sha256', secret)
      .update(JSON.stringify([cookie, handle, digest]))
      .digest('base64url');
  return {
    session,
    token: (handle, digest) => tokenFor(session, handle, digest),
    // The token depends on the cookie, so a cookie that this server did not set has no valid token.
    isValid: ({ session: cookie, token, handle, digest }) => isSame(token, tokenFor(cookie, handle, digest)),
  };
}

/** Compares in a time that shows neither where the texts differ nor how long they are. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
