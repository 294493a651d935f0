import { type Config, toolsets } from '../../src/config.ts';

/** The configuration of a server against a simulated service, with all its files in one folder. */
export const demoConfig = (
  service: { readonly origin: string; readonly credentials: NonNullable<Config['credentials']> },
  stateDir: string,
): Config => ({
  environment: 'demo',
  baseUrl: service.origin,
  credentials: service.credentials,
  readOnly: false,
  taxZone: undefined,
  toolsets,
  stateDir,
  configDir: stateDir,
  stateUrl: undefined,
  liveTrading: false,
  approval: undefined,
  limits: {},
  warnings: [],
});
