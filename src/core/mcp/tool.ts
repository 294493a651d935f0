/**
 * The type of a tool. A definition contains everything about the tool; the listing, annotations and schemas are derived
 * from it.
 */
import type * as z from 'zod';
import type { RecurringPlans } from '../../features/drafts/recurring/recurring-plans.ts';
import type { DraftApprovals } from '../../features/drafts/submission/draft-approvals.ts';
import type { SubmissionDeps } from '../../features/drafts/submission/ports.ts';
import type { Submissions } from '../../features/drafts/submission/submissions.ts';
import type { TaxRecords } from '../../features/gains/tax-records.ts';
import type { DailyValue } from '../../features/history/daily-value.ts';
import type { Mirror } from '../../features/history/mirror.ts';
import type { HistoryImport } from '../../features/reports/import/history-import.ts';
import type { EndpointLimit, RateLimitStatus } from '../broker/rate-limit/limit-status.ts';
import type { Broker, CallContext, Priority } from '../broker/types.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/index.ts';
import type { InstrumentDirectory } from '../instruments/instrument-directory.ts';
import type { Fault } from '../log.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import type { WriteJournal } from '../orders/write-journal.ts';
import type { Config, Toolset } from '../settings/config.ts';
import type { ElicitationRequest, ElicitationResult } from './elicitation.ts';
import type { ListPage } from './pagination.ts';
import type { ViewName } from './view-names.ts';

/** The services that tools use; the composition root builds them. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly broker: Broker;
  readonly orderManager: OrderManager;
  /** For the functions of src/features/drafts. */
  readonly drafts: SubmissionDeps;
  readonly draftApprovals: DraftApprovals;
  readonly submissions: Submissions;
  readonly recurringPlans: RecurringPlans;
  readonly directory: InstrumentDirectory;
  readonly history: Mirror;
  readonly historyImport: HistoryImport;
  /** Daily values of the account, for the days on which this store recorded one. */
  readonly dailyValues: () => Promise<readonly DailyValue[]>;
  readonly approvals: Approvals;
  readonly writes: WriteJournal;
  readonly audit: AuditTrail;
  /** Returns why the store is unavailable; undefined when it is available. */
  readonly getStoreError: () => string | undefined;
  /** Returns the remaining requests of each endpoint's rate limit, as far as this store knows. */
  readonly allowance: () => Promise<readonly RateLimitStatus[]>;
  /** Returns the currently known rate limit of one endpoint. */
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  /** Downloaded reports, as files. */
  readonly exports: ExportFiles;
  /**
   * Returns what the owner entered for tax. Throws a BrokerageError with the code `not_configured` for an invalid file.
   */
  readonly taxRecords: () => Promise<TaxRecords>;
}

/** The downloaded reports in the state folder. */
export interface ExportFiles {
  /** Saves the pieces of the text of a report and returns the path of its file. */
  save(reportId: string, pieces: AsyncIterable<string>): Promise<string>;
  /**
   * Returns the rows from the byte `from` on, at most `most` bytes, and where the next ones begin. Undefined when the
   * report was not downloaded.
   */
  read(reportId: string, from: number, most: number): Promise<{ text: string; next: number | undefined } | undefined>;
  /** Returns the ids of the saved reports. */
  list(): Promise<readonly string[]>;
}

/** The journal of actions and decisions, newest first. */
export interface AuditTrail {
  last(count: number): Promise<readonly AuditEntry[]>;
  /** Returns at most `limit` entries from the time `at` (ms) on. */
  since(at: number, limit: number): Promise<readonly AuditEntry[]>;
  /** The newest fault of any process of the store; undefined when there was none. */
  newestFault(): Promise<Fault | undefined>;
  /** Checks the chain of hashes from a record on. `holds` is false at a record that was changed, removed or added. */
  verify(from?: number): Promise<{ readonly holds: boolean; readonly rows: number; readonly brokenAt?: number }>;
}

/** One journal entry; `at` is in milliseconds since 1970. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: object;
}

/** What the host can show to the user, and the user's replies. */
export interface HostInteraction {
  readonly canForm: boolean;
  readonly canUrl: boolean;
  readonly answer?: ElicitationResult | undefined;
}

export interface ContextOptions {
  readonly priority?: Priority | undefined;
  readonly waitUntil?: number | undefined;
  readonly notBefore?: number | undefined;
}

/** The context of one tool call. */
export interface ToolCall extends Services {
  /** Time by which the call must have returned (ms). */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly host: HostInteraction;
  /** The caller keeps the result in a file, so no list of it may be cut. */
  readonly wantsAllRows?: boolean | undefined;
  /** Returns the context for a request of this call; `waitUntil` shortens the wait for the rate limit. */
  context(options?: ContextOptions): CallContext;
  /** Reports progress to the user. Without a total the length is unknown. */
  progress(message: string, done?: number, total?: number): void;
}

/** What a tool's handler returns; the pipeline adds the environment and builds the text. */
export interface ToolReply {
  /** Time of the service's data (ms); undefined for data that this program holds locally. */
  readonly asOf?: number | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly list?: ListPage;
  /** A question to ask the user first; a host that cannot ask receives the fields. */
  readonly ask?: ElicitationRequest | undefined;
}

/** What a tool does to the account; the four annotations follow from it. */
export type ToolEffect = 'reads' | 'places' | 'cancels' | 'creates' | 'changes' | 'deletes' | 'saves' | 'drafts';

/** The annotations of MCP, which show hosts the effect. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** When a tool is registered. */
export interface Registration {
  readonly toolset: Toolset;
  /** Another toolset that registers the tool as well. */
  readonly alsoIn?: Toolset;
  /** A toolset without which the tool is not registered. */
  readonly needs?: Toolset;
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType> extends Registration {
  readonly name: string;
  readonly title: string;
  readonly effect: ToolEffect;
  /** The endpoints that a call may use; empty when it makes no request. */
  readonly endpoints: readonly Endpoint[];
  /**
   * The description, at most 300 characters. What users ask for is in the first 160, because some hosts show no more.
   */
  readonly description: string;
  /** Search terms, matched by hosts with tool search in addition to the description. */
  readonly searchHint: string;
  /** Set when a host with tool search should load the tool from the start: for the few that most requests need. */
  readonly alwaysLoad?: true;
  readonly input: Input;
  /** The view that a host can show beside the result. */
  readonly view?: ViewName;
  /** The fields of the result in addition to env, simulated and asOf. */
  readonly output: z.ZodRawShape;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolReply>;
}

export const defineTool = <Input extends z.ZodType>(tool: ToolDefinition<Input>): ToolDefinition =>
  tool as unknown as ToolDefinition;

export interface ToolListing extends Registration {
  /** Set for a tool that a read-only server registers although its annotation does not say that it only reads. */
  readonly isInReadOnly?: true;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  /** For hosts; not shown to the model. */
  readonly _meta: {
    readonly 'anthropic/searchHint': string;
    readonly 'anthropic/alwaysLoad'?: true;
    readonly ui?: { readonly resourceUri: string };
  };
  readonly annotations: ToolAnnotations;
}
