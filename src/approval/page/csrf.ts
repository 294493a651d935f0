/**
 * Proof that an answer comes from the page that we sent. A page of another origin can neither read the
 * token nor make the browser send the cookie; the token also names the ticket that was on the page.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Csrf {
  /** For the session cookie; it lives as long as this program. */
  readonly session: string;
  token(handle: string, digest: string): string;
  isValid(answer: { session: string; token: string; handle: string; digest: string }): boolean;
}

export function createCsrf(): Csrf {
  const secret = randomBytes(32);
  const session = randomBytes(32).toString('base64url');
  const tokenFor = (cookie: string, handle: string, digest: string) =>
    // JSON, so that no two triples are written alike.
    createHmac('sha256', secret)
      .update(JSON.stringify([cookie, handle, digest]))
      .digest('base64url');
  return {
    session,
    token: (handle, digest) => tokenFor(session, handle, digest),
    // The cookie is part of what the token was made from: one that is not ours has no token.
    isValid: ({ session: cookie, token, handle, digest }) => isSame(token, tokenFor(cookie, handle, digest)),
  };
}

/** In a time that tells nothing about where they differ, nor how long they are. */
function isSame(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
