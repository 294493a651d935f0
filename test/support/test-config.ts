/** The configuration of a server in a test. */
import { type Config, toolsets } from '../../src/config.ts';

/** The sandbox with every toolset and all files in one folder, where `changes` says nothing else. */
export const createTestConfig = (stateDir: string, changes: Partial<Config> = {}): Config => ({
  environment: 'sandbox',
  baseUrl: undefined,
  credentials: undefined,
  readOnly: false,
  toolsets,
  stateDir,
  configDir: stateDir,
  stateUrl: undefined,
  taxZone: undefined,
  liveTrading: false,
  approval: undefined,
  limits: {},
  warnings: [],
  ...changes,
});
