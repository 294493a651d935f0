/** One program on a store of live orders, called as its tools, its approval page and its background work call it. */
import { type App, createApp } from '../../src/app/composition-root.ts';
import { tools } from '../../src/app/registry.ts';
import type { Clock } from '../../src/core/clock.ts';
import { runTool } from '../../src/core/mcp/run-tool.ts';
import type { Intent } from '../../src/core/orders/intent/intent.ts';
import type { Config } from '../../src/core/settings/config.ts';
import { viewDraftTicket } from '../../src/features/drafts/submission/approve-draft.ts';
import { type Simulator, startSimulator } from '../../src/simulator/index.ts';
import { passphrase } from '../security/support.ts';
import { createTestConfig } from '../support/test-config.ts';

export const credentials = { key: 'live-key', secret: 'live-secret' };
export const ticker = 'QNOON_GB_EQ';

/** A limit order that stays pending, known by its number of shares. */
export const buy = (quantity: number) => ({ ticker, side: 'BUY', quantity, limitPrice: 11.5, timeValidity: 'DAY' });

export interface Program {
  readonly app: App;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape.
  call(name: string, args?: object): Promise<any>;
  intents(): Promise<readonly Intent[]>;
  findIntent(quantity: number): Promise<Intent | undefined>;
  /** Approves an order that waits, on the page. */
  approve(quantity: number): Promise<string>;
  approveDraft(draftId: string): Promise<string>;
  /** Runs the background work until nothing moves, or for `most` rounds. */
  settle(most?: number): Promise<void>;
}

/** The service of the account, always at one address. */
export async function startService(
  options: Pick<Parameters<typeof startSimulator>[0] & object, 'clock' | 'port' | 'persistence' | 'onRequest'>,
): Promise<Simulator> {
  const simulator = await startSimulator({ ...options, credentials, instrumentCount: 40 });
  simulator.inject.setPrice(ticker, 12);
  return simulator;
}

/** Every other program counts as alive: what it holds ends with time. */
export function openProgram(folder: string, origin: string, clock: Clock, self: string, change: Partial<Config> = {}) {
  const config = createTestConfig(folder, {
    environment: 'live',
    baseUrl: origin,
    credentials,
    liveTrading: true,
    ...change,
  });
  return toProgram(createApp(config, { clock, processes: { self, isAlive: () => true } }));
}

function toProgram(app: App): Program {
  const { approvals, draftApprovals, drafts, submissions, orderManager } = app.services;
  const intents = () => app.journal.read((tx) => tx.list());
  const findIntents = async (quantity: number) =>
    (await intents()).filter(({ request }) => Number(request.quantity) === quantity);
  return {
    app,
    intents,
    findIntent: async (quantity) => (await findIntents(quantity))[0],
    call: async (name, args = {}) => {
      const { signal } = new AbortController();
      return (await runTool(tools, name, args, app.services, { signal, timeoutMs: 20_000 })).body;
    },
    approve: async (quantity) => {
      const intent = (await findIntents(quantity)).find(({ approval }) => approval);
      if (!intent?.approval) return 'no order waits';
      const { digest } = intent.approval;
      return (await approvals.approve({ intentId: intent.id, digest, passphrase, channel: 'page', seen: 9 })).kind;
    },
    approveDraft: async (draftId) => {
      const view = await viewDraftTicket(drafts, draftId);
      if (!view) return 'no draft waits';
      const { digest, ticket } = view;
      const answer = { submissionId: ticket.submissionId, digest, passphrase, channel: 'page' as const, seen: 9 };
      return (await draftApprovals.approve(answer)).kind;
    },
    settle: async (most = 60) => {
      for (let quiet = 0, rounds = 0; quiet < 3 && rounds < most; rounds++) {
        await orderManager.tick();
        await submissions.tick();
        await new Promise((resolve) => setTimeout(resolve, 2));
        const moving = await app.journal.read((tx) => tx.list({ states: ['APPROVED', 'SENDING', 'UNKNOWN'] }));
        const sending = await drafts.store.read((tx) => tx.listSubmissions({ states: ['sending'] }));
        quiet = moving.length + sending.length > 0 ? 0 : quiet + 1;
      }
    },
  };
}
