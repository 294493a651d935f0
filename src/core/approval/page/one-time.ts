/**
 * Addresses for the browser that the server opens. Other programs of the machine can read the arguments of that
 * browser, so each address works once: the first GET leads to the page, later ones do not.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';

export interface OneTimeAddresses {
  /** Creates a token for a ticket. */
  create(handle: string): string;
  /**
   * Returns the ticket of a token, and the pass that the first browser receives. With this pass the same browser
   * may use the token again (it prefetched the page, or the owner went back). Undefined for a
   * token that another browser has used, and for one that is unknown or expired.
   */
  spend(token: string, pass: string | undefined): { readonly handle: string; readonly pass: string } | undefined;
}

/** The time of an approval. */
const approvalMs = 120_000;
const maxAddresses = 100;

export function createOneTimeAddresses(clock: Clock, lifeMs = approvalMs): OneTimeAddresses {
  const kept = new Map<string, { readonly handle: string; readonly endsAt: number; pass?: string }>();
  return {
    create: (handle) => {
      const token = randomBytes(24).toString('base64url');
      kept.set(token, { handle, endsAt: clock.now() + lifeMs });
      const [oldest] = kept.keys();
      if (kept.size > maxAddresses && oldest !== undefined) kept.delete(oldest);
      return token;
    },
    spend: (token, pass) => {
      const found = kept.get(token);
      if (!found || clock.now() >= found.endsAt) return undefined;
      if (found.pass !== undefined && found.pass !== pass) return undefined;
      found.pass ??= randomBytes(24).toString('base64url');
      return { handle: found.handle, pass: found.pass };
    },
  };
}
