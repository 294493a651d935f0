import type { Config } from '../../src/core/settings/config.ts';
import { createTestConfig } from '../../test/support/test-config.ts';

/** The configuration of a server against a simulated service, with all its files in one folder. */
export const demoConfig = (
  service: { readonly origin: string; readonly credentials: NonNullable<Config['credentials']> },
  stateDir: string,
): Config =>
  createTestConfig(stateDir, { environment: 'demo', baseUrl: service.origin, credentials: service.credentials });
