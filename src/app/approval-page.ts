/** The approval page: one for all servers of a machine that share a store, and shown to the person at this machine. */
import { type ApprovalPage as Served, startApprovalPage } from '../approval/page/index.ts';
import type { KeyValueStore } from '../broker/ports.ts';
import type { Clock } from '../clock.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { ApprovalChannels, ProcessRegistry } from '../orders/intent/ports.ts';
import { createSingletonService } from './singleton-service.ts';

export interface ApprovalPageDeps {
  readonly approvals: Approvals;
  readonly records: KeyValueStore;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly processes: ProcessRegistry;
  /** Where several machines share the store, this one of them. */
  readonly machine: string | undefined;
  /** Opens an address in the browser; undefined where nobody would see it. */
  readonly openBrowser: ((address: string) => void) | undefined;
}

type ApprovalPage = ApprovalChannels & { close(): Promise<void> };

/** The clients of an HTTP server may be anywhere: an address of this machine would be of no use to them, or of use to the wrong one. */
export const disabledApprovalPage: ApprovalPage = { pageUrl: async () => undefined, close: async () => undefined };

export function createApprovalPage(parts: ApprovalPageDeps): ApprovalPage {
  const shown = new Set<string>();
  let own: Served | undefined;
  const host = createSingletonService({
    ...parts,
    name: parts.machine === undefined ? 'approval page' : `approval page of ${parts.machine}`,
    makeExtra: () => null,
    start: async () => {
      own = await startApprovalPage({ approvals: parts.approvals, clock: parts.clock });
      return own;
    },
  });
  return {
    pageUrl: async (handle) => {
      const found = await host.find().catch(() => undefined);
      if (!found) return undefined;
      const address = `${found.origin}/approve/${handle}`;
      // Once, by whoever serves it: a window per look would be a nuisance.
      if (own && host.isOwn() && !shown.has(address)) {
        shown.add(address);
        // Other programs can read the arguments of the one that opens it.
        parts.openBrowser?.(own.createOneTimeUrl(handle));
      }
      return address;
    },
    close: host.close,
  };
}
