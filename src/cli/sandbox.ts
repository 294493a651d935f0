/** The simulated account of the sandbox: started in this process when it is first needed, kept in the state folder. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Simulator } from '../simulator/index.ts';
import { accountFile } from './account-file.ts';

export interface Sandbox {
  readonly credentials: { readonly key: string; readonly secret: string };
  origin(): Promise<string>;
  close(): Promise<void>;
}

export function createSandbox(stateDir: string, clock: Clock): Sandbox {
  // Nobody needs to know them: they keep other local programs out of the paper account.
  const credentials = { key: randomBytes(12).toString('hex'), secret: randomBytes(24).toString('hex') };
  let started: Promise<Simulator> | undefined;
  const start = async () => {
    const { startSimulator } = await import('../simulator/index.ts');
    return startSimulator({ clock, credentials, persistence: accountFile(stateDir) });
  };
  return {
    credentials,
    origin: async () => {
      started ??= start();
      return (await started).origin;
    },
    close: async () => {
      await (await started)?.close();
    },
  };
}
