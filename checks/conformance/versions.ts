/** What `npm run conformance` runs, all of it pinned. The table in docs/conformance.md names these versions, which a test checks. */

export const suite = {
  name: '@modelcontextprotocol/conformance',
  version: '0.2.0-alpha.12',
  /** It needs Node 22; the program is tested on the Node that runs this. */
  node: 'node@24.21.0',
  /** The number of scenarios that each revision requires of a server, counted by hand: a run of fewer is not valid. */
  revisions: [
    { revision: '2025-11-25', required: 30 },
    { revision: '2026-07-28', required: 37 },
  ],
} as const;

/**
 * The SDK of the older line: each version that changed the protocol. Their dependencies are what npm finds today, as
 * for every user who installs them.
 */
export const olderSdk = {
  name: '@modelcontextprotocol/sdk',
  versions: ['1.8.0', '1.10.2', '1.12.3', '1.15.1', '1.17.5', '1.20.2', '1.23.1', '1.26.0', '1.29.0', '1.32.2'],
  /** Streamable HTTP came with it. */
  firstOverHttp: '1.10.2',
} as const;

export const currentClient = { name: '@modelcontextprotocol/client', version: '2.4.0' } as const;
export const aiSdk = { name: '@ai-sdk/mcp', version: '2.0.99' } as const;
export const inspector = { name: '@modelcontextprotocol/inspector', version: '2.12.0' } as const;

/** The folder of one version of the older SDK: several of one package live side by side under other names. */
export const aliasOf = (version: string): string => `sdk-${version.replaceAll('.', '-')}`;

/** In the form in which npm installs them. */
export const packages: readonly string[] = [
  ...olderSdk.versions.map((version) => `${aliasOf(version)}@npm:${olderSdk.name}@${version}`),
  ...[currentClient, aiSdk, inspector].map(({ name, version }) => `${name}@${version}`),
];
