/** A client of one server with two accounts of one service. Everything is real except time, which the test drives. */
import { rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished } from 'vitest';
import { createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import { type AccountApp, runOver } from '../../src/app/running-account.ts';
import { serve } from '../../src/core/mcp/mcp-server.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { withAccountArgument } from '../../src/core/mcp/tool-listing.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import type { Config } from '../../src/core/settings/config.ts';
import { type SimulatorOptions, type StartingAccount, startSimulator } from '../../src/simulator/index.ts';
import { createManualClock } from './manual-clock.ts';
import { fewDays, listing, openMarketsAt, servedParts } from './setup.ts';
import { makeUsedStateFolder } from './state-folder.ts';
import { findSchemaFaults } from './strict-schema.ts';
import { createTestConfig } from './test-config.ts';

export const names = ['invest', 'isa'] as const;
type Name = (typeof names)[number];

const credentials = {
  invest: { key: 'invest-key', secret: 'invest-secret' },
  isa: { key: 'isa-key', secret: 'isa-secret' },
};

interface Options {
  /** For both accounts. */
  readonly config?: Partial<Config>;
  /** For one of them. */
  readonly own?: Partial<Record<Name, Partial<Config>>>;
  readonly simulator?: Partial<SimulatorOptions>;
  readonly startAt?: number;
  /** What the accounts begin with, instead of the seeded past; each has a service of its own then. */
  readonly starting?: Readonly<Record<Name, StartingAccount>>;
  /** Makes the second account a taxable one, too. */
  readonly areTaxable?: boolean;
}

let listed: ReturnType<typeof withAccountArgument> | undefined;

export async function setupTwoAccounts(options: Options = {}) {
  const clock = createManualClock({ startAt: options.startAt ?? openMarketsAt, auto: true });
  const simulator = await startSimulator({
    ...{ clock, credentials: credentials.invest, instrumentCount: 100, publishedDays: fewDays },
    others: [{ name: 'isa', credentials: credentials.isa }],
    ...options.simulator,
    ...(options.starting && { account: options.starting.invest, others: [] }),
  });
  // One simulator serves one market, and that of a given account is made of what it holds.
  const second =
    options.starting &&
    (await startSimulator({
      ...{ clock, credentials: credentials.isa, publishedDays: fewDays, account: options.starting.isa },
    }));
  const stateDir = await makeUsedStateFolder('brokerage-mcp-accounts-');
  const originOf = (name: Name) => (name === 'isa' && second ? second : simulator).origin;
  const kindOf = (name: Name) => (options.areTaxable ? 'invest' : name);
  const open = (name: Name) =>
    createApp(
      createTestConfig(stateDir, {
        ...{ environment: 'demo', baseUrl: originOf(name), credentials: credentials[name] },
        account: { name, kind: kindOf(name), isOneOfSeveral: true },
        ...options.config,
        ...options.own?.[name],
      }),
      { clock },
    );
  const apps = { invest: open('invest'), isa: open('isa') };
  const toApp = (name: Name): AccountApp => {
    const { services, ready } = apps[name];
    return {
      services,
      ready,
      runWith: (pooledWith) => (tool, args, callOptions) =>
        runTool(tools, tool, args, { ...services, pooledWith }, callOptions),
    };
  };
  const run = runOver([toApp('invest'), toApp('isa')], tools);
  const parts = { ...(await servedParts({ composed: apps.invest })), run, accounts: names };
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(parts, { onError: () => undefined, transport: serverSide });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(clientSide);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    await Promise.all([apps.invest.close(), apps.isa.close()]);
    await simulator.close();
    await second?.close();
    await rm(stateDir, { recursive: true, force: true });
  });
  listed ??= withAccountArgument(await listing(), names);
  const schemas = listed;
  const truth = (name: Name) => (name === 'invest' ? simulator : (second ?? simulator.others.isa))?.groundTruth();
  return {
    client,
    apps,
    clock,
    simulator,
    stateDir,
    /** The true state of an account. */
    truth: (name: Name) => truth(name) as ReturnType<typeof simulator.groundTruth>,
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name, arguments: args });
      if (result.structuredContent)
        expect(findSchemaFaults(schemas, name, result.structuredContent), `output schema of ${name}`).toEqual([]);
      const [block] = result.content as { text: string }[];
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
      return { isError: result.isError === true, body: parseResponseText(block?.text ?? 'null') as any };
    },
  };
}
