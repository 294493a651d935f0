/** Puts the parts together. Creating an app opens no port, file or connection: that happens on first use. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApprovals } from '../core/approval/approval-service.ts';
import { createSecurity, type Security } from '../core/approval/enrollment/enrollment.ts';
import type { TradingSettings } from '../core/approval/enrollment/live-origin-guard.ts';
import { findOrders } from '../core/approval/page/order-page.ts';
import { type BrokerDeps, createBroker } from '../core/broker/index.ts';
import type { BrokerObserver } from '../core/broker/observer.ts';
import { listRateLimits, nextRequestInMs, readLimit } from '../core/broker/rate-limit/limit-status.ts';
import { readWriteEpoch } from '../core/broker/read-cache.ts';
import { createRedactor, type Redactor } from '../core/broker/response/redact.ts';
import type { Broker } from '../core/broker/types.ts';
import type { Clock } from '../core/clock.ts';
import { type Endpoint, endpoints } from '../core/endpoints/index.ts';
import { BrokerageError, hasCode } from '../core/errors.ts';
import { createInstrumentDirectory, type InstrumentDirectory } from '../core/instruments/instrument-directory.ts';
import type { ProcessRegistry } from '../core/lease.ts';
import { log, orElse } from '../core/log.ts';
import { createSnapshotReader } from '../core/orders/account/account-snapshot.ts';
import { keepStoreMark } from '../core/orders/halt/store-change.ts';
import { currentLimits } from '../core/orders/halt/trading-state.ts';
import { needsLookUp } from '../core/orders/intent/duplicates.ts';
import type { Journal } from '../core/orders/intent/journal-port.ts';
import { createOrderManager } from '../core/orders/order-manager.ts';
import { createWriteJournal } from '../core/orders/write-journal.ts';
import { boundHeapGrowth, machineName } from '../core/process/process-context.ts';
import type { Config } from '../core/settings/config.ts';
import type { GrantStore } from '../core/store/grant-table.ts';
import type { ContentReport } from '../core/store/inspect-content.ts';
import { parseUrl } from '../core/text/parse-url.ts';
import { createLastAsked } from '../features/changes/last-asked.ts';
import { describeOrder } from '../features/drafts/order-outlook.ts';
import { findDrafts } from '../features/drafts/page/draft-approval-page.ts';
import { createRecurringPlans } from '../features/drafts/recurring/recurring-plans.ts';
import { createDraftApprovals } from '../features/drafts/submission/draft-approvals.ts';
import type { SubmissionDeps } from '../features/drafts/submission/submission.ts';
import { createSubmissions } from '../features/drafts/submission/submissions.ts';
import { createDailyValueRecorder } from '../features/history/daily-value.ts';
import type { History } from '../features/history/history-port.ts';
import { kinds } from '../features/history/kinds.ts';
import { createFallbackHistory } from '../features/history/memory-store.ts';
import { createMirror } from '../features/history/mirror.ts';
import { createHistoryImport } from '../features/reports/import/history-import.ts';
import { findNearest } from '../features/search/search.ts';
import { createApprovalPage, disabledApprovalPage } from './approval-page.ts';
import { createAccount } from './connected-account.ts';
import { createCredentials } from './credentials.ts';
import { createReportRequester } from './import-requests.ts';
import { type OpenedStore, openAppStore } from './open-app-store.ts';
import { createFiles } from './owner-files.ts';
import type { Services } from './registry.ts';
import { createSandbox } from './sandbox.ts';
import { createTaxRecords } from './tax-records.ts';
import { createWatching, type Watching } from './watching.ts';

/** How long (ms) the id of the account may take, which the entries of one account need. */
const accountIdTimeoutMs = 10_000;

export interface ComposeOptions {
  readonly clock?: Clock;
  readonly processes?: ProcessRegistry;
  readonly openBrowser?: ((address: string) => void) | undefined;
  /** Whether approvals can be given in a browser on this machine (default true); otherwise on a public page or in a terminal. */
  readonly hasPage?: boolean | undefined;
  readonly observer?: BrokerObserver | undefined;
  /** Secrets of this program besides the credentials. They are hidden wherever the service repeats them. */
  readonly otherSecrets?: readonly string[] | undefined;
}

/** The parts of one process, as commands and servers use them. */
export interface App {
  readonly services: Services;
  readonly journal: Journal;
  readonly grants: GrantStore;
  readonly security: Security;
  readonly settings: TradingSettings;
  readonly watching: Watching;
  /** Checks the tables of the store and a sample of its rows. */
  inspectStore(): Promise<ContentReport>;
  /** Resolves once the time of a shared store is known, or when that store cannot be reached. */
  ready(): Promise<void>;
  /** Ends what was started. Safe to call when nothing was started. */
  close(): Promise<void>;
}

/**
 * Creates the services of one process. Missing keys or a base URL are reported with the first request, as
 * `not_configured`.
 */
export function createApp(config: Config, options: ComposeOptions = {}): App {
  const opened = openAppStore(config, options);
  const { store, processes } = opened;
  const { records, clock } = store;
  const service = createService(config, opened);
  const { account } = service;
  const dailyValues = createDailyValueRecorder(store.snapshots);
  const logged = connectLog(config, options, store);
  const broker = createAppBroker(config, { ...options, onRedactor: logged.onRedactor }, opened, service, dailyValues);
  const directory = createInstrumentDirectory(broker, findNearest);
  const historyDeps = createHistoryDeps(opened, account, broker);
  const history = createHistory(store, historyDeps);
  const getLimit = async (endpoint: Endpoint) => readLimit({ records, clock }, await account.key(), endpoint);
  const trading = createTrading(config, options, opened, account, { broker, directory, history });
  const { journal, settings, security, approvals, page, orderManager, drafts, submissions } = trading;
  const writes = createWriteJournal({ journal, clock, processes, settings, accountKey: account.keyForOrders });
  const historyImport = createHistoryImport({
    ...historyDeps,
    records,
    mirror: history,
    getLimit,
    requestReport: createReportRequester(broker, writes),
  });
  const taxRecords = createOwnTaxRecords(config, clock, broker);
  const watching = createWatching(opened, { config, broker, history, drafts, accountKey: account.keyForOrders });
  const planDeps = { config, clock, directory, history, orderManager, taxRecords };
  return {
    services: {
      config,
      clock,
      broker,
      orderManager,
      drafts,
      draftApprovals: trading.draftApprovals,
      submissions,
      recurringPlans: createRecurringPlans({ ...planDeps, records, drafts }),
      approvals,
      writes,
      describeOutlook: (question, context, options) => describeOrder(planDeps, question, context, options),
      directory,
      history,
      historyImport,
      dailyValues: async () => dailyValues.list(await account.key()),
      pastValues: async () => service.sandbox?.pastValues() ?? [],
      lastAsked: createLastAsked(records, account.key),
      watches: watching.book,
      audit: store.audit,
      getStoreError: () => records.failure(),
      // The status tool works without credentials; in that case no requests have been counted.
      allowance: async () => listRateLimits({ records, clock }, service.isConfigured() ? await account.key() : 'none'),
      getLimit,
      ...createFiles(config),
      taxRecords,
    },
    journal,
    grants: store.journal,
    security,
    settings,
    watching,
    inspectStore: store.inspect,
    ready: store.ready,
    close: async () => {
      await submissions.stop();
      await historyImport.close();
      await history.close();
      await page.close();
      await service.sandbox?.close();
      // A fault of the closing parts is still kept.
      logged.disconnect();
      await log.settled();
      await store.close();
    },
  };
}

/**
 * Runs the work of a command, and closes its app however the work ends. A fault of the work is reported while the audit
 * trail can still keep it.
 */
export async function closeAfter<Result>(app: Pick<App, 'close'>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    log.fault('command', error);
    throw error;
  } finally {
    await app.close();
  }
}

/** The service that is asked: a sandbox of this process, or the configured address with its key. */
function createService(config: Config, { store: { records, clock, realClock, journal }, processes }: OpenedStore) {
  const { stateDir, account: named } = config;
  const place = { stateDir, clock, realClock, records, processes, account: named?.name };
  const sandbox = config.environment === 'sandbox' ? createSandbox(place) : undefined;
  const origin = async () => (sandbox ? sandbox.origin() : required(config.baseUrl, config, 'a base URL'));
  const given = config.credentials && createCredentials(config.credentials);
  const credentials = async () => (sandbox ? sandbox.credentials() : required(given, config, 'a key').keyPair());
  const account = createAccount({ config, records, journal, clock, processes, origin, credentials });
  // The status tool must work even when the key program fails, so it only checks what is known.
  const isConfigured = () => config.environment === 'sandbox' || Boolean(given?.isKnown() && config.baseUrl);
  return { sandbox, origin, credentials, account, isConfigured };
}
type Service = ReturnType<typeof createService>;

function createAppBroker(
  config: Config,
  { otherSecrets = [], observer, onRedactor }: ComposeOptions & Pick<BrokerDeps, 'onRedactor'>,
  { store: { records, clock, journal }, processes, witness, activity }: OpenedStore,
  { sandbox, origin, credentials, account }: Service,
  dailyValues: ReturnType<typeof createDailyValueRecorder>,
) {
  const broker = createBroker({
    origin,
    accountKey: account.key,
    credentials,
    checkAddress: account.checkAddress,
    reportsAtOrigin: sandbox !== undefined,
    otherSecrets: [...otherSecrets, getPassword(config.stateUrl)],
    records,
    clock,
    random: Math.random,
    owner: processes.self,
    readOnly: config.readOnly,
    isAlive: processes.isAlive,
    // The histories that a watch reads are urgent to no one, so an order finds a request at any time.
    keepOneFree: async () =>
      activity.isWatching ||
      journal.read((tx) => needsLookUp(tx, config.environment, clock.now())).catch(orElse('the app', false)),
    onSummary: async (summary, answeredAt) => {
      await account.recordAccountId(summary);
      await dailyValues.note(await account.key(), summary, answeredAt);
    },
    onResponse: account.recordLiveResponse,
    onRedactor,
    observer,
  });
  if (!witness) return broker;
  const place: Broker['place'] = async (order, commit, context) => {
    let kept: Promise<void> | undefined;
    const commitAndKeep: typeof commit = async () => {
      const committed = await commit();
      // While the order is sent, which it must not delay. If it cannot be written now, the next order writes it.
      if (committed) kept = keepStoreMark(journal, witness).catch(orElse('keep the mark of the store', undefined));
      return committed;
    };
    const placed = await broker.place(order, commitAndKeep, context);
    await kept;
    return placed;
  };
  return { ...broker, place };
}

/** Hides the secrets of this app in the log, and keeps the faults of the process in its audit trail. */
function connectLog(config: Config, { otherSecrets = [] }: ComposeOptions, { audit }: OpenedStore['store']) {
  let redactor = createRedactor(otherSecrets);
  log.setLevel(config.logLevel);
  return {
    disconnect: log.attach({
      redact: (text) => redactor.text(text),
      keepFault: (fault) => audit.keepFault(fault, config.environment),
    }),
    onRedactor: (wanted: Redactor) => {
      redactor = wanted;
    },
  };
}

/** The owner's tax records, of which some belong to one account. */
const createOwnTaxRecords = (config: Config, clock: Clock, broker: Broker) =>
  createTaxRecords(config.configDir, {
    environment: config.environment,
    readAccountId: async () => {
      const context = { priority: 'read' as const, deadlineAt: clock.now() + accountIdTimeoutMs };
      return (await broker.call(endpoints.getAccountSummary, {}, context)).data.id;
    },
  });

/** What the history and its import share. */
function createHistoryDeps({ store, processes }: OpenedStore, account: Service['account'], broker: Broker) {
  const { records, clock, realClock } = store;
  return {
    broker,
    clock,
    store: createFallbackHistory(store.history, {
      now: realClock.now,
      hasFailed: () => records.failure() !== undefined,
      isStoreError: (error) => hasCode(error, 'store_unavailable'),
    }),
    accountKey: account.key,
    lease: { records, realClock, processes },
  };
}

function createHistory({ records, clock }: OpenedStore['store'], deps: ReturnType<typeof createHistoryDeps>) {
  return createMirror({
    ...deps,
    boundMemory: boundHeapGrowth,
    epoch: (key) => readWriteEpoch(records, key),
    nextPageInMs: (key, kind) => nextRequestInMs({ records, clock }, key, kinds[kind].endpoint),
  });
}

/** What places orders: the approvals of the owner, the channels that ask for them, and the order manager. */
function createTrading(
  config: Config,
  { hasPage = true, openBrowser }: ComposeOptions,
  { store, processes, witness, isShared }: OpenedStore,
  account: Service['account'],
  { broker, directory, history }: { broker: Broker; directory: InstrumentDirectory; history: History },
) {
  const { records, clock, realClock } = store;
  const journal: Journal = store.journal;
  const settings: TradingSettings = {
    environment: config.environment,
    account: config.account?.isOneOfSeveral ? config.account.name : undefined,
    origin: account.service().origin,
    service: account.service,
    liveTrading: config.liveTrading,
    approval: config.approval,
    haltFile: () => existsSync(join(config.stateDir, 'halt')),
    witness,
  };
  const security = createSecurity(journal, clock, config.environment === 'live' ? account.service : undefined);
  const approvals = createApprovals({ journal, clock, security, settings });
  const limits: SubmissionDeps['limits'] = (tx) => currentLimits({ settings, configuredLimits: config.limits }, tx);
  const draftApprovals = createDraftApprovals({ store: store.journal, clock, processes, security, settings, limits });
  // With a shared store each machine serves its own page, because a browser on another machine cannot reach it.
  const machine = isShared ? machineName(processes.self) : undefined;
  const page =
    hasPage || config.approvalPage
      ? createApprovalPage({
          ...{ records, journal, clock, realClock, processes, machine },
          environment: config.environment,
          publicPage: config.approvalPage,
          isPublicOnly: !hasPage,
          subjects: [findOrders(approvals), findDrafts(draftApprovals)],
          openBrowser: hasPage ? openBrowser : undefined,
        })
      : disabledApprovalPage;
  const facts = createSnapshotReader(broker, clock, config.taxZone);
  const orderManager = createOrderManager({
    broker,
    journal,
    clock,
    processes,
    settings,
    configuredLimits: config.limits,
    directory,
    approvals,
    channels: page,
    facts,
    accountKey: account.keyForOrders,
    identifyAccount: async (context) => {
      if ((await account.knownId()) === undefined) await broker.call(endpoints.getAccountSummary, {}, context);
      return account.key();
    },
    readOnly: config.readOnly,
  });
  const drafts: SubmissionDeps = {
    store: store.journal,
    clock,
    processes,
    settings,
    environment: config.environment,
    broker,
    directory,
    facts,
    history,
    orderManager,
    channels: page,
    limits,
    accountKey: account.keyForOrders,
    readOnly: config.readOnly,
  };
  const submissions = createSubmissions(drafts, draftApprovals);
  return { journal, settings, security, approvals, page, orderManager, drafts, draftApprovals, submissions };
}

/** The password as typed, without URL escapes. */
const getPassword = (url: string | undefined): string => unescape(parseUrl(url ?? '')?.password ?? '');

function required<T>(value: T | undefined, config: Config, what: string): T {
  if (value !== undefined) return value;
  const name = config.environment.toUpperCase();
  throw new BrokerageError(
    'not_configured',
    `The ${config.environment} environment needs ${what}, and none is configured.`,
    `Set BROKER_${name}_BASE_URL, BROKER_API_KEY and, where the key has one, BROKER_API_SECRET, and start the server again.`,
  );
}
