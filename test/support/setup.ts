/** One connected client, server, simulator and clock. Everything is real except time, which the test drives. */
import { rm } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, onTestFinished } from 'vitest';
import { type App, createApp } from '../../src/app/composition-root.ts';
import { loadListing } from '../../src/app/load-listing.ts';
import { tools } from '../../src/app/registry.ts';
import type { ProcessRegistry } from '../../src/core/lease.ts';
import { type McpServerDeps, serve } from '../../src/core/mcp/mcp-server.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import { parseResponseText } from '../../src/core/mcp/tool-result.ts';
import type { Config } from '../../src/core/settings/config.ts';
import { complete } from '../../src/features/guides/completion.ts';
import { registerGuides } from '../../src/features/guides/register-guides.ts';
import { readResource } from '../../src/features/guides/resources/read-resource.ts';
import { recentEventsUri } from '../../src/features/guides/resources/register-resources.ts';
import { followEvents, readRecentEvents } from '../../src/features/watches/event-feed.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/simulator/index.ts';
import { expectKnownTimes } from '../time-travel/expect-known-times.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createDatabase } from './postgres.ts';
import { makeUsedStateFolder } from './state-folder.ts';
import { findSchemaFaults } from './strict-schema.ts';
import { createTestConfig } from './test-config.ts';

/** A Thursday on which the exchanges on both sides of the Atlantic are open. */
export const openMarketsAt = Date.UTC(2026, 0, 15, 15, 0, 0);

/** The arguments of a limit order that the account accepts and that stays pending. */
export const order = {
  ticker: 'QNOON_GB_EQ',
  side: 'BUY',
  quantity: 2,
  limitPrice: 10,
  timeValidity: 'GOOD_TILL_CANCEL',
};

export interface Answer {
  readonly isError: boolean;
  /** The text block, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  readonly body: any;
  /** The text block, unparsed. */
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
  readonly progress: readonly string[];
}

export interface Setup {
  readonly client: Client;
  /** The parts behind the server, for facts that no client can see. */
  readonly composed: App;
  readonly simulator: Simulator;
  readonly clock: ManualClock;
  readonly stateDir: string;
  readonly stateUrl: string | undefined;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  /** The requests that reached the simulator, as endpoint ids. */
  requests(): string[];
}

export interface SetupOptions {
  readonly quirks?: SimulatorOptions['quirks'];
  readonly config?: Partial<Config>;
  readonly startAt?: number;
  /** Multiplies the period of every limit of the service; default 1. */
  readonly limitScale?: number;
  /** Default 100, among them those that the tests name: the complete list takes a second to make and to read. */
  readonly instrumentCount?: number;
  /** Default: a few, because six weeks of them take longer to read than everything else that an order needs. */
  readonly publishedDays?: SimulatorOptions['publishedDays'];
  /** Whether the account has a row of every type. */
  readonly rareRows?: boolean;
  /** Another server process on the state folder, the clock and the service of this one. */
  readonly beside?: Setup;
  readonly processes?: ProcessRegistry;
  /** Default the end of the test; `afterAll` for what the tests of a file share. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

let listed: ReturnType<typeof loadListing> | undefined;
/** Made once, as the build does it: from source it takes a twentieth of a second. */
export const listing = (): ReturnType<typeof loadListing> => (listed ??= loadListing());

/** What a server of any transport is given of the parts. */
export async function servedParts({ composed }: Pick<Setup, 'composed'>): Promise<McpServerDeps> {
  const { services } = composed;
  const follow = (onEvent: () => void, signal: AbortSignal) =>
    followEvents({ clock: services.clock, listEvents: composed.watching.listEvents }, onEvent, signal);
  return {
    config: services.config,
    version: '0.0.0-test',
    listing: await listing(),
    run: (name, args, callOptions) =>
      runTool(tools, name, args, { ...services, config: callOptions.config ?? services.config }, callOptions),
    extend: (server, config) =>
      registerGuides(server, {
        config,
        readResource: (uri) =>
          readResource(uri, {
            ...services,
            callTool: (name, args) => runTool(tools, name, args, services, { signal: new AbortController().signal }),
            readEvents: () =>
              readRecentEvents(composed.watching.listEvents, services.config.environment, services.clock.now()),
            view: async () => undefined,
          }),
        complete: (what, value) => complete(what, value, services),
        listExports: () => services.exports.list(),
        followEvents: follow,
      }),
    changes: { uri: recentEventsUri, follow },
  };
}

const isOnPostgres = process.env.TEST_STORE === 'postgres';
const credentials = { key: 'test-key', secret: 'test-secret' };

/** Every week has a session before and after each moment of it. */
export const fewDays = { before: 3, after: 3 };

/** Environment `demo` against the simulator, so that the complete path of a real service is used. */
export async function setup(options: SetupOptions = {}): Promise<Setup> {
  const { beside, atEnd = onTestFinished } = options;
  const clock = beside?.clock ?? createManualClock({ startAt: options.startAt ?? openMarketsAt, auto: true });
  const simulator =
    beside?.simulator ??
    (await startSimulator({
      clock,
      credentials,
      instrumentCount: options.instrumentCount ?? 100,
      publishedDays: options.publishedDays ?? fewDays,
      rareRows: options.rareRows ?? false,
      ...(options.quirks ? { quirks: options.quirks } : {}),
      ...(options.limitScale === undefined ? {} : { limitScale: options.limitScale }),
    }));
  const stateDir = beside?.stateDir ?? (await makeUsedStateFolder('brokerage-mcp-test-'));
  // `TEST_STORE=postgres npx vitest run test/core/orders`: the same tests on the other database.
  const stateUrl = beside ? beside.stateUrl : isOnPostgres ? await createDatabase() : undefined;
  const config = createTestConfig(stateDir, {
    environment: 'demo',
    baseUrl: simulator.origin,
    credentials,
    stateUrl,
    ...options.config,
  });
  const composed = createApp(config, { clock, ...(options.processes ? { processes: options.processes } : {}) });
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const handle = serve(await servedParts({ composed }), { onError: () => undefined, transport: serverSide });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(clientSide);

  atEnd(async () => {
    await client.close();
    await handle.close();
    await composed.close();
    if (beside) return;
    await simulator.close();
    if (stateUrl === undefined) expectKnownTimes(stateDir);
    await rm(stateDir, { recursive: true, force: true });
  });

  return {
    client,
    composed,
    simulator,
    clock,
    stateDir,
    stateUrl,
    requests: () => simulator.log.map((request) => String(request.endpoint)),
    call: async (name, args = {}) => {
      const progress: string[] = [];
      const result = await client.callTool(
        { name, arguments: args },
        { onprogress: (update) => progress.push(update.message ?? '') },
      );
      if (result.structuredContent)
        expect(findSchemaFaults(await listing(), name, result.structuredContent), `output schema of ${name}`).toEqual(
          [],
        );
      const [block] = result.content as { type: string; text: string }[];
      return {
        isError: result.isError === true,
        body: parseResponseText(block?.text ?? 'null'),
        text: block?.text ?? '',
        structured: result.structuredContent as Record<string, unknown> | undefined,
        progress,
      };
    },
  };
}

/** How many orders the service received. */
export const posts = ({ requests }: Pick<Setup, 'requests'>) =>
  requests().filter((id) => id.startsWith('place')).length;
