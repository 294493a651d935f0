import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { startSimulator } from '../../src/simulator/index.ts';

/**
 * Starts a service with the limits of the specification, so that reading its history takes minutes. Returns the
 * environment of a program that uses it; `home` is the program's home folder.
 */
export async function startSlowService(home: string): Promise<Record<string, string>> {
  const credentials = { key: 'slow-key', secret: 'slow-secret' };
  const simulator = await startSimulator({ clock: systemClock, credentials, instrumentCount: 300 });
  onTestFinished(() => simulator.close());
  return {
    HOME: home,
    BROKER_ENV: 'demo',
    BROKER_DEMO_BASE_URL: simulator.origin,
    BROKER_API_KEY: credentials.key,
    BROKER_API_SECRET: credentials.secret,
  };
}
