/**
 * The simulated account of the sandbox. Servers on one state folder share one: the first that needs it
 * serves it and says in the store where, and when it goes the next takes over from the kept account.
 */
import { randomBytes } from 'node:crypto';
import type { Records } from '../broker/ports.ts';
import type { Clock } from '../clock.ts';
import type { Processes } from '../orders/ports.ts';
import type { Simulator } from '../simulator/index.ts';
import { accountFile } from './account-file.ts';

export interface Sandbox {
  origin(): Promise<string>;
  credentials(): Promise<{ readonly key: string; readonly secret: string }>;
  close(): Promise<void>;
}

interface Host {
  /** Undefined when nobody serves it. */
  readonly owner?: string | undefined;
  /** Undefined while it starts. */
  readonly origin?: string | undefined;
  readonly since: number;
  /** They keep other local programs out of the paper account. */
  readonly credentials: { readonly key: string; readonly secret: string };
}

/** Nobody's start takes longer than this. */
const startMs = 20_000;
const lookEveryMs = 50;
const hostRecord = ['sandbox', 'host'] as const;

export function createSandbox(parts: {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Real time: it waits for another process. */
  readonly realClock: Clock;
  readonly records: Records;
  readonly processes: Processes;
}): Sandbox {
  const { records, processes, realClock } = parts;
  let own: Promise<Simulator> | undefined;

  const claim = () =>
    records.update<Host, Host>(...hostRecord, (host) => {
      const now = realClock.now();
      const serves =
        host?.owner !== undefined &&
        processes.isAlive(host.owner) &&
        (host.origin !== undefined || now - host.since < startMs);
      const isOwn = host?.owner === processes.self && own !== undefined;
      if (serves && (host.owner !== processes.self || isOwn)) return { state: host, result: host };
      const credentials = host?.credentials ?? {
        key: randomBytes(12).toString('hex'),
        secret: randomBytes(24).toString('hex'),
      };
      const mine: Host = { owner: processes.self, since: now, credentials };
      return { state: mine, result: mine };
    });

  const start = async (credentials: Host['credentials']) => {
    const { startSimulator } = await import('../simulator/index.ts');
    const simulator = await startSimulator({
      clock: parts.clock,
      credentials,
      persistence: accountFile(parts.stateDir),
    });
    await records.update<Host, void>(...hostRecord, (host) => ({
      state: host?.owner === processes.self ? { ...host, origin: simulator.origin } : host,
      result: undefined,
    }));
    return simulator;
  };

  const host = async (): Promise<Host & { readonly origin: string }> => {
    for (;;) {
      const chosen = await claim();
      if (chosen.owner === processes.self) {
        own ??= start(chosen.credentials);
        return { ...chosen, origin: (await own).origin };
      }
      if (chosen.origin !== undefined) return { ...chosen, origin: chosen.origin };
      await realClock.sleep(lookEveryMs);
    }
  };

  return {
    origin: async () => (await host()).origin,
    credentials: async () => (await host()).credentials,
    close: async () => {
      const simulator = await own?.catch(() => undefined);
      if (!simulator) return;
      await records
        .update<Host, void>(...hostRecord, (kept) => ({
          state: kept?.owner === processes.self ? { ...kept, owner: undefined, origin: undefined } : kept,
          result: undefined,
        }))
        .catch(() => undefined);
      await simulator.close();
    },
  };
}
