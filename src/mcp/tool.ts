/** What a tool is. A definition alone explains the tool; everything else is derived from it. */
import type * as z from 'zod';
import type { EndpointLimit, RateLimitStatus } from '../broker/rate-limit/limit-status.ts';
import type { Broker, CallContext, Priority } from '../broker/types.ts';
import type { Endpoint } from '../catalogue/index.ts';
import type { Clock } from '../clock.ts';
import type { Config, Toolset } from '../config.ts';
import type { DailyValue } from '../history/daily-value.ts';
import type { Mirror } from '../history/mirror.ts';
import type { InstrumentDirectory } from '../market/instrument-directory.ts';
import type { Approvals } from '../orders/intent/approval-port.ts';
import type { OrderManager } from '../orders/order-manager.ts';
import type { WriteJournal } from '../orders/write-journal.ts';
import type { ElicitationRequest, ElicitationResult } from './elicitation.ts';
import type { ListPage } from './pagination.ts';
import type { ViewName } from './view-names.ts';

/** The parts that tools work with; the command line puts them together. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly broker: Broker;
  readonly orderManager: OrderManager;
  readonly directory: InstrumentDirectory;
  readonly history: Mirror;
  /** What the account was worth, day by day, as far as this store has noted it. */
  readonly dailyValues: () => Promise<readonly DailyValue[]>;
  readonly approvals: Approvals;
  readonly writes: WriteJournal;
  readonly audit: AuditTrail;
  /** Why the store cannot be used now; undefined when it can. */
  readonly getStoreError: () => string | undefined;
  /** What is left of each endpoint's allowance, as far as this store knows. */
  readonly allowance: () => Promise<readonly RateLimitStatus[]>;
  /** The limit of one endpoint as it is known now. */
  readonly getLimit: (endpoint: Endpoint) => Promise<EndpointLimit>;
  /** The reports that were downloaded, as files. */
  readonly exports: ExportFiles;
}

export interface ExportFiles {
  /** Keeps the text of a report and answers the path of its file. */
  save(reportId: string, text: string): Promise<string>;
  /** Undefined when it was not downloaded. */
  read(reportId: string): Promise<string | undefined>;
  /** The ids of the reports that are there. */
  list(): Promise<readonly string[]>;
}

/** What was done and decided, newest first; the store keeps it. */
export interface AuditTrail {
  last(count: number): Promise<readonly AuditEntry[]>;
  since(moment: number, most: number): Promise<readonly AuditEntry[]>;
  verify(from?: number): Promise<{ readonly holds: boolean; readonly rows: number; readonly brokenAt?: number }>;
}

export interface AuditEntry {
  readonly seq: number;
  readonly at: number;
  readonly environment: string;
  readonly kind: string;
  readonly data: object;
}

/** What the program that shows this server to a person can do, and what it answered. */
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

/** One call of a tool. */
export interface ToolCall extends Services {
  /** When the whole call must be answered (ms). */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly host: HostInteraction;
  /** How a request of this call is made; `waitUntil` shortens the wait for the limit. */
  context(options?: ContextOptions): CallContext;
  /** Tells the person who waits. Without a total the length is unknown. */
  progress(message: string, done?: number, total?: number): void;
}

/** What a tool answers; the pipeline adds the environment and makes the text. */
export interface ToolReply {
  /** When the service said it (ms); undefined for what this program knows by itself. */
  readonly asOf?: number | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly list?: ListPage;
  /** Something to ask the person first; hosts that cannot ask are given the fields. */
  readonly ask?: ElicitationRequest | undefined;
}

/** What a tool does to the account; the four annotations follow from it. */
export type ToolEffect = 'reads' | 'places' | 'cancels' | 'creates' | 'changes' | 'deletes' | 'saves';

export interface ToolDefinition<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly toolset: Toolset;
  readonly effect: ToolEffect;
  /** The endpoints that a call may use; empty when it sends nothing. */
  readonly endpoints: readonly Endpoint[];
  /** The facts, at most 300 characters; what people would ask for in the first 160, which is all some hosts show. */
  readonly description: string;
  /** Words that people use for it: what a host with tool search looks in beside the description. */
  readonly searchHint: string;
  /** Whether a host with tool search shows it from the beginning: for the few that most requests need. */
  readonly alwaysLoad?: true;
  readonly input: Input;
  /** The picture that can be shown beside the answer. */
  readonly view?: ViewName;
  /** The fields of the answer beside env, simulated and asOf. */
  readonly output: z.ZodRawShape;
  run(args: z.output<Input>, call: ToolCall): Promise<ToolReply>;
}

export const defineTool = <Input extends z.ZodType>(tool: ToolDefinition<Input>): ToolDefinition =>
  tool as unknown as ToolDefinition;

export interface ToolListing {
  readonly toolset: Toolset;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  /** For hosts; the model does not see it. */
  readonly _meta: {
    readonly 'anthropic/searchHint': string;
    readonly 'anthropic/alwaysLoad'?: true;
    readonly ui?: { readonly resourceUri: string };
  };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}
