/** One simulated service with two accounts, and the variables of a program that uses both. */
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/index.ts';
import { makeStateFolder } from './state-folder.ts';

export const names = ['invest', 'isa'] as const;

const credentials = {
  invest: { key: 'invest-key', secret: 'invest-secret' },
  isa: { key: 'isa-key', secret: 'isa-secret' },
};

/** Few instruments, and limits that end fifty times as soon: everything but that is as it is served. */
export async function serveTwoAccounts(options: Partial<SimulatorOptions> = {}) {
  const simulator = await startSimulator({
    ...{ clock: systemClock, credentials: credentials.invest, instrumentCount: 100, limitScale: 0.02 },
    others: [{ name: 'isa', credentials: credentials.isa }],
    ...options,
  });
  onTestFinished(() => simulator.close());
  simulator.inject.setPrice('QNOON_GB_EQ', 12);
  const folder = await makeStateFolder('brokerage-mcp-several-');
  const env: Record<string, string> = {
    ...{ HOME: folder, BROKER_STATE_DIR: folder, BROKER_CONFIG_DIR: folder },
    ...{ BROKER_ENV: 'demo', BROKER_DEMO_BASE_URL: simulator.origin, BROKER_ACCOUNTS: names.join() },
  };
  for (const name of names) {
    env[`BROKER_API_KEY_${name.toUpperCase()}`] = credentials[name].key;
    env[`BROKER_API_SECRET_${name.toUpperCase()}`] = credentials[name].secret;
  }
  const isa = simulator.others.isa as Pick<Simulator, 'groundTruth' | 'inject'>;
  return { simulator, env, truth: { invest: simulator.groundTruth, isa: isa.groundTruth } };
}
