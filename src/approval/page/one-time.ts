/**
 * Addresses for the browser that the server opens. The arguments of that program can be read by other programs
 * of the machine, so each address is good once: the first GET leads on to the ticket, a later one to nothing.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';

export interface OneTimeAddresses {
  /** A new token for a ticket. */
  create(handle: string): string;
  /**
   * The ticket of a token, with the pass that its first browser is given. With that pass the same browser may
   * come again (it fetched the page ahead, or the owner went back); without it the second one gets undefined.
   */
  spend(token: string, pass: string | undefined): { readonly handle: string; readonly pass: string } | undefined;
}

/** As long as an order waits. */
const lifeMs = 120_000;
const maxAddresses = 100;

export function createOneTimeAddresses(clock: Clock): OneTimeAddresses {
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
