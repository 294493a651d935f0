/** The approval page among several processes: one of them serves it, and when it goes the next does. */
import type { Records } from '../broker/ports.ts';
import type { Clock } from '../clock.ts';
import type { Approvals } from '../orders/approval-port.ts';
import type { Channels, Processes } from '../orders/ports.ts';

interface Host {
  readonly owner: string;
  readonly origin?: string | undefined;
  readonly since: number;
}

export interface ApprovalPageParts {
  readonly approvals: Approvals;
  readonly records: Records;
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly processes: Processes;
  /** Shows an address to the person at this machine; undefined where nobody can see it. */
  readonly openBrowser: ((address: string) => void) | undefined;
}

const startMs = 10_000;
const lookEveryMs = 50;
const hostRecord = ['approval', 'page'] as const;

export function createApprovalPage(parts: ApprovalPageParts): Channels & { close(): Promise<void> } {
  const { records, processes, realClock } = parts;
  let own: Promise<{ readonly origin: string; close(): Promise<void> }> | undefined;
  const shown = new Set<string>();

  const claim = () =>
    records.update<Host, Host>(...hostRecord, (host) => {
      const now = realClock.now();
      const serves = host && processes.isAlive(host.owner) && (host.origin !== undefined || now - host.since < startMs);
      if (serves && (host.owner !== processes.self || own)) return { state: host, result: host };
      const mine: Host = { owner: processes.self, since: now };
      return { state: mine, result: mine };
    });

  const start = async () => {
    const { startApprovalPage } = await import('../approval/page/index.ts');
    const page = await startApprovalPage({ approvals: parts.approvals, clock: parts.clock });
    await records.update<Host, void>(...hostRecord, (host) => ({
      state: host?.owner === processes.self ? { ...host, origin: page.origin } : host,
      result: undefined,
    }));
    return page;
  };

  const origin = async (): Promise<string | undefined> => {
    const until = realClock.now() + startMs;
    while (realClock.now() < until) {
      const host = await claim();
      if (host.owner === processes.self) {
        own ??= start();
        return (await own).origin;
      }
      if (host.origin !== undefined) return host.origin;
      await realClock.sleep(lookEveryMs);
    }
    return undefined;
  };

  return {
    pageAddress: async (handle) => {
      const at = await origin().catch(() => undefined);
      if (at === undefined) return undefined;
      const address = `${at}/approve/${handle}`;
      // Once, by whoever serves it: a window per look would be a nuisance.
      if (own && !shown.has(address)) {
        shown.add(address);
        parts.openBrowser?.(address);
      }
      return address;
    },
    close: async () => {
      const page = await own?.catch(() => undefined);
      if (!page) return;
      await records
        .update<Host, void>(...hostRecord, (host) => ({
          state: host?.owner === processes.self ? undefined : host,
          result: undefined,
        }))
        .catch(() => undefined);
      await page.close();
    },
  };
}
