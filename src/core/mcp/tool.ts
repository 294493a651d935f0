/**
 * The type of a tool. A definition contains everything about the tool; the listing, annotations and schemas are derived
 * from it.
 */

import type * as z from 'zod';
import type { CallContext } from '../broker/types.ts';
import type { Endpoint } from '../endpoints/index.ts';
import type { TradableAccount } from '../orders/tradable-account.ts';
import type { Config, Toolset } from '../settings/config.ts';
import type { ElicitationRequest, ElicitationResult } from './elicitation.ts';
import type { ListPage } from './pagination.ts';
import type { ViewData } from './view-data.ts';

/** What the host can show to the user, and the user's replies. */
export interface HostInteraction {
  /** The name that the host gave itself; undefined when it gave none. */
  readonly name?: string | undefined;
  readonly canForm: boolean;
  readonly canUrl: boolean;
  readonly answer?: ElicitationResult | undefined;
}

/** Another account of the server, for a call that counts what it has. */
export interface AccountBeside {
  readonly name: string;
  /** Throws when it cannot be read. */
  read(context: CallContext): Promise<TradableAccount>;
}

/** The argument with which a tool that has `weighsAccounts` counts all accounts, and its only value is `all`. */
export const weightsArgument = 'weightsOver';

/** The context of one tool call. */
export interface ToolCall {
  /** Time by which the call must have returned (ms). */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly host: HostInteraction;
  /** The other accounts, where the caller asks for weights over all; undefined where the call is about one alone. */
  readonly beside?: readonly AccountBeside[] | undefined;
  /** The caller keeps the result in a file, so no list of it may be cut. */
  readonly wantsAllRows?: boolean | undefined;
  /** Returns the context for a request of this call; `waitUntil` shortens the wait for the rate limit. */
  context(options?: Partial<Pick<CallContext, 'priority' | 'waitUntil' | 'notBefore'>>): CallContext;
  /** Reports progress to the user. Without a total the length is unknown. */
  progress(message: string, done?: number, total?: number): void;
}

/** A file on the machine of this server. */
export interface FileLink {
  /** A file: URI. */
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** What a tool's handler returns; the pipeline adds the environment and builds the text. */
export interface ToolReply {
  /** Time of the service's data (ms); undefined for data that this program holds locally. */
  readonly asOf?: number | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly list?: ListPage;
  /** What only a picture needs: the model does not read it, and a host may drop it. */
  readonly viewData?: ViewData | undefined;
  /** Files that the call wrote, for hosts that can open them. */
  readonly links?: readonly FileLink[];
  /** A question to ask the user first; a host that cannot ask receives the fields. */
  readonly ask?: ElicitationRequest | undefined;
}

/** What a tool does to the account; the four annotations follow from it. */
export type ToolEffect = 'reads' | 'places' | 'cancels' | 'creates' | 'changes' | 'deletes' | 'saves' | 'drafts';

/** The annotations of MCP, which show hosts the effect. */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** When a tool is registered. */
interface Registration {
  readonly toolset: Toolset;
  /** Another toolset that registers the tool as well. */
  readonly alsoIn?: Toolset;
  /** A toolset without which the tool is not registered. */
  readonly needs?: Toolset;
}

/** `Deps` is what the tools of its feature need. */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Deps = never> extends Registration {
  readonly name: string;
  readonly title: string;
  readonly effect: ToolEffect;
  /** Set where the effect is not what the caller asked for: what is due is kept when it is shown. */
  readonly onlyShows?: true;
  /** Set where the target weights of a call can be over all accounts (`weightsArgument`). */
  readonly weighsAccounts?: true;
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
  /** Makes the schema of the result's fields, without those that every result has. */
  readonly output: () => z.ZodRawShape;
  run(args: z.output<Input>, call: ToolCall, deps: Deps): Promise<ToolReply>;
}

export const defineTool = <Input extends z.ZodType, Deps>(
  tool: ToolDefinition<Input, Deps>,
): ToolDefinition<z.ZodType, Deps> => tool as unknown as ToolDefinition<z.ZodType, Deps>;

export interface ToolListing extends Registration {
  /** Set for a tool that a read-only server registers although its annotation does not say that it only reads. */
  readonly isInReadOnly?: true;
  /** Set for a tool that does more than report: with several accounts, a call names the one that it is for. */
  readonly needsAccount?: true;
  readonly weighsAccounts?: true;
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

/** Views that hosts with MCP Apps show beside a result. The result is complete without them. */
export const viewNames = [
  'allocation',
  'profit-loss',
  'dividends',
  'gains',
  'returns',
  'draft',
  'ticket',
  'document',
] as const;
export type ViewName = (typeof viewNames)[number];

export const viewUri = (name: ViewName): string => `ui://brokerage-mcp/${name}`;

export const viewTemplate = 'ui://brokerage-mcp/{view}';

export const viewMimeType = 'text/html;profile=mcp-app';

/** The view with this resource URI; undefined when there is none. */
export const viewNameIn = (uri: string): ViewName | undefined => viewNames.find((name) => viewUri(name) === uri);

/** Whether the configuration enables the toolsets that register the tool. */
export const isInToolsets = (
  { toolset, alsoIn, needs }: Registration,
  { toolsets }: Pick<Config, 'toolsets'>,
): boolean => {
  const isOn = (name: Toolset | undefined) => name !== undefined && toolsets.includes(name);
  return (isOn(toolset) || isOn(alsoIn)) && (needs === undefined || isOn(needs));
};

/**
 * `saves` writes a file of our own and nothing at the broker, so it counts as reading: read-only
 * servers keep it. `drafts` writes orders that are not sent: read-only servers keep it too, but a host should not take
 * it for a read.
 */
const byEffect: Record<ToolEffect, Omit<ToolAnnotations, 'openWorldHint'>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  saves: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  places: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  cancels: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  drafts: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
};

export const buildAnnotations = (tool: Pick<ToolDefinition, 'effect' | 'endpoints'>): ToolAnnotations => ({
  ...byEffect[tool.effect],
  openWorldHint: tool.endpoints.length > 0,
});

/** Whether a tool only reports, so that it can be about several accounts. One that writes a file does more. */
export const isQuestion = ({ effect, onlyShows }: Pick<ToolDefinition, 'effect' | 'onlyShows'>): boolean =>
  effect === 'reads' || onlyShows === true;

/** Whether a tool is about the market, which all accounts of a service share. */
export const isAboutMarket = ({ toolset }: Pick<ToolDefinition, 'toolset'>): boolean => toolset === 'instruments';

/** Whether a tool is available in read-only mode: it changes nothing at the broker. */
export const isInReadOnly = ({ effect }: Pick<ToolDefinition, 'effect'>): boolean =>
  byEffect[effect].readOnlyHint || effect === 'drafts';
