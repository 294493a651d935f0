/**
 * One state folder with its server processes, and direct access to its store. The invariants of the moment of sending
 * are checked here, while the request waits for its response.
 */
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { systemClock } from '../../src/core/clock.ts';
import { approvalDigest, type Intent } from '../../src/core/orders/intent/intent.ts';
import type { Journal, WriteIntent } from '../../src/core/orders/intent/journal-port.ts';
import { openStore } from '../../src/core/store/open-store.ts';
import type { Draft, DraftVersion } from '../../src/features/drafts/book/draft.ts';
import type { Submission, SubmissionLeg, SubmissionStore } from '../../src/features/drafts/submission/submission.ts';
import type { Program } from './build.ts';
import type { Site } from './fixture.ts';
import { type Recording, startRecordings, watchServer } from './recording.ts';
import type { Line } from './results.ts';
import { findSecretsInFolder } from './secrets.ts';
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts';
import type { OrderPost } from './upstream.ts';

export interface RigOptions {
  /** Set when no order may be sent without an approval. */
  readonly approval?: 'page' | 'terminal' | 'elicitation';
  readonly env?: Readonly<Record<string, string>>;
  /** A folder that another part made, and removes. */
  readonly stateDir?: string;
  /** Nothing can be stored: then no order may be sent. */
  readonly storeless?: boolean;
  /** What is wrong with a leg of a draft that is on the wire, besides what holds for every order. */
  readonly lookAtLeg?: (rig: Rig, leg: Intent) => Promise<readonly string[]>;
}

export interface Rig {
  readonly site: Site;
  readonly stateDir: string;
  /** Of its processes. */
  readonly env: Readonly<Record<string, string>>;
  readonly line: Line;
  readonly journal: Journal;
  /** The same store, with the drafts. */
  readonly drafts: SubmissionStore;
  readonly needsApproval: boolean;
  /** Of everything that is visible from outside; of the first account where there are two. */
  readonly recording: Recording;
  /** Of the account with this name. */
  recordingOf(account: string | undefined): Recording;
  server(options?: Partial<ServerOptions>): Promise<ServerProcess>;
  intents(quantity: string): Promise<readonly Intent[]>;
  /** Violations at the moments of sending; each is reported once. */
  takeViolations(): string[];
  /** Ends every process and searches for secrets in everything that they left. */
  dispose(): Promise<void>;
}

export async function openRig(program: Program, site: Site, line: Line, options: RigOptions = {}): Promise<Rig> {
  const stateDir = options.stateDir ?? (await site.newStateDir());
  const store = openStore<
    Intent,
    WriteIntent,
    unknown,
    { readonly day: string },
    Draft,
    DraftVersion,
    Submission,
    SubmissionLeg
  >({
    place: site.place(stateDir),
    realClock: systemClock,
    random: Math.random,
    self: 'campaign',
    merge: {},
  });
  const journal: Journal = store.journal;
  const servers: ServerProcess[] = [];
  const violations: string[] = [];
  const { lookAtLeg = async () => [] } = options;
  const usedNonces = new Map<string, OrderPost>();
  const env = {
    ...site.env(stateDir),
    ...(options.approval ? { BROKER_APPROVAL: options.approval } : {}),
    ...options.env,
  };

  const recordings = startRecordings(site.upstream, site.accounts, options.approval ?? 'none', env);
  const recordingOf = (account: string | undefined) =>
    (recordings.find((one) => one.account === account) ?? recordings[0])?.recording as Recording;
  const recording = recordingOf(undefined);

  const lookAtApproval = (intent: Intent, post: OrderPost): string[] => {
    const { approval } = intent;
    if (!options.approval) return [];
    if (!approval) return ['I3: an order left without an approval'];
    const before = usedNonces.get(approval.nonce);
    usedNonces.set(approval.nonce, post);
    const { usedAt, expiresAt, approvedAt, digest } = approval;
    const wrong = [
      approvedAt === undefined && 'its approval says no time',
      usedAt === undefined && 'its approval was not used up before it left',
      usedAt !== undefined && usedAt >= expiresAt && 'its approval had expired',
      digest !== approvalDigest(intent, approval) && 'its approval is for another order',
      before && !before.refusedForRate && 'its approval had been used already',
    ];
    return wrong.flatMap((why) => (why ? [`I3: an order left although ${why}`] : []));
  };

  const lookAtWire = async (post: OrderPost): Promise<void> => {
    if (options.storeless) return void violations.push('I6: an order left although nothing could be kept');
    const found = await rig.intents(post.quantity ?? '');
    const intents = found.filter(({ accountName }) => accountName === post.account);
    if (intents.length === 0 && found.length > 0)
      violations.push(`I9: an order of ${found[0]?.accountName} left with the key of ${post.account}`);
    // Another process may have given up a killed sender before its request was read here.
    const mine = intents.filter(({ state }) => state === 'SENDING' || state === 'UNKNOWN');
    const [intent] = mine;
    if (!intent || mine.length > 1) {
      const states = intents.map(({ state }) => state).join(', ') || 'nothing';
      return void violations.push(`I1: an order is on the wire and its journal says ${states}`);
    }
    if (intent.sentAt === undefined)
      violations.push('I1: an order is on the wire and its journal says no time of sending');
    const { request } = intent;
    const sign = request.side === 'SELL' ? -1 : 1;
    const { ticker, quantity } = post.fields;
    if (ticker !== request.ticker || quantity !== sign * Number(request.quantity))
      violations.push('I1: the order on the wire is not the one in the journal');
    violations.push(...(intent.leg ? await lookAtLeg(rig, intent) : lookAtApproval(intent, post)));
  };

  site.upstream.onRead = (post) =>
    lookAtWire(post).catch((error: unknown) => {
      violations.push(`I1: the journal could not be read while an order was on the wire (${String(error)})`);
    });

  const rig: Rig = {
    site,
    stateDir,
    env,
    line,
    journal,
    drafts: store.journal,
    needsApproval: options.approval !== undefined,
    recording,
    recordingOf,
    server: async (more = {}) => {
      line.processes++;
      const form = more.form && recording.watchForm(more.form);
      const server = await startServer({ file: program.file, env, secrets: site.secrets, ...more, form });
      servers.push(server);
      return watchServer(recordings, server);
    },
    intents: async (quantity) => {
      const list = await journal.read((tx) => tx.list({ limit: 2_000 }));
      return list.filter(({ request }) => request.quantity === quantity);
    },
    takeViolations: () => [...violations.splice(0), ...recordings.flatMap((one) => one.recording.takeViolations())],
    dispose: async () => {
      site.upstream.onRead = undefined;
      await Promise.all(servers.map((server) => server.close()));
      await store.close().catch(() => undefined);
      line.violations.push(...rig.takeViolations());
      for (const one of recordings) line.keep(one.recording.read());
      // An error that stopped a process shows on its standard error.
      for (const server of servers) {
        const crash = /\n\s+at .+/.exec(server.stderr());
        if (crash) line.violations.push(`a process failed: ${server.stderr().slice(0, 300)}`);
      }
      const kept =
        existsSync(stateDir) && statSync(stateDir).isDirectory() ? findSecretsInFolder(stateDir, site.secrets) : [];
      const leaks = [...servers.flatMap((server) => server.leaks()), ...kept];
      for (const leak of new Set(leaks)) line.violations.push(`secret: ${leak}`);
      await rm(stateDir, { recursive: true, force: true }).catch(() => undefined);
    },
  };
  return rig;
}
