/** The configuration of a server in a test. */
import { type Config, createSandboxConfig } from '../../src/core/settings/config.ts';

/** The sandbox with every toolset and all files in one folder, where `changes` says nothing else. */
export const createTestConfig = (stateDir: string, changes: Partial<Config> = {}): Config => ({
  ...createSandboxConfig(stateDir),
  ...changes,
});
