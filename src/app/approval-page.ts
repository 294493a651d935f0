/**
 * The approval page. One process serves it for all servers of a machine that share a store, and opens it in the
 * browser of this machine.
 */

import type { FindSubject } from '../core/approval/page/decision-form.ts';
import { type ApprovalPage as Served, startApprovalPage } from '../core/approval/page/serve-page.ts';
import type { KeyValueStore } from '../core/broker/types.ts';
import type { Clock } from '../core/clock.ts';
import type { ProcessRegistry } from '../core/lease.ts';
import { orElse } from '../core/log.ts';
import type { ApprovalChannels, Journal } from '../core/orders/intent/journal-port.ts';
import type { PublicPage } from '../core/settings/config.ts';
import type { PasskeyPlace } from '../features/passkeys/passkeys.ts';
import { createSingletonService } from './singleton-service.ts';

type ApprovalPage = ApprovalChannels & { close(): Promise<void> };

/** Used with HTTP where the page has no public address: one of this machine would reach the wrong page, or none. */
export const disabledApprovalPage: ApprovalPage = {
  pageUrl: async () => undefined,
  opensBrowser: false,
  close: async () => undefined,
};

/** Only a public page can have passkeys, so nothing else loads their code. */
async function loadPasskeys(place: PasskeyPlace) {
  const { createPagePasskeys, findAdding } = await import('../features/passkeys/passkeys.ts');
  return { passkeys: createPagePasskeys(place), findAdding: findAdding(place) };
}

/** Creates the page. It starts with the first `pageUrl`, which is undefined when no process serves the page. */
export function createApprovalPage(deps: {
  /** What it shows and decides. */
  readonly subjects: readonly FindSubject[];
  readonly records: KeyValueStore;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly processes: ProcessRegistry;
  /** The name of this machine, if several machines share the store. */
  readonly machine: string | undefined;
  /** Opens an address in the browser; undefined without a graphical session. */
  readonly openBrowser: ((address: string) => void) | undefined;
  /** Where a person reaches it from elsewhere; undefined for a page of this machine alone. */
  readonly publicPage: PublicPage | undefined;
  readonly journal: Journal;
  readonly environment: string;
  /** Whether clients can be on any machine: an address of this one would be useless to them. */
  readonly isPublicOnly: boolean;
}): ApprovalPage {
  const shown = new Set<string>();
  let own: Served | undefined;
  const service = createSingletonService({
    ...deps,
    name: deps.machine === undefined ? 'approval page' : `approval page of ${deps.machine}`,
    makeExtra: () => null,
    start: async () => {
      const { subjects, clock, publicPage } = deps;
      const added = publicPage && (await loadPasskeys({ ...deps, origin: publicPage.origin }));
      own = await startApprovalPage({
        subjects: added ? [...subjects, added.findAdding] : subjects,
        clock,
        publicPage,
        passkeys: added?.passkeys,
      });
      return own;
    },
  });
  return {
    pageUrl: async (handle) => {
      const found = await service.find().catch(orElse('the app', undefined));
      if (!found || (deps.isPublicOnly && found.origin !== deps.publicPage?.origin)) return undefined;
      const address = `${found.origin}/approve/${handle}`;
      // Only the process that serves the page opens a window, and only once per ticket, because `pageUrl` is called
      // repeatedly.
      if (own && service.isOwn() && !shown.has(address)) {
        shown.add(address);
        // Other programs can read the arguments of the program that opens it, so the address works once.
        deps.openBrowser?.(own.createOneTimeUrl(handle));
      }
      return address;
    },
    opensBrowser: deps.openBrowser !== undefined,
    close: service.close,
  };
}
