/** What an evaluation is: a request as a person types it, what an ideal assistant does about it, and what is true. */
import type { EndpointId } from '../src/core/endpoints/index.ts';
import type { GroundTruth } from '../src/simulator/index.ts';
import type { World } from '../src/simulator/world/world.ts';
import type { Setting } from './run/environment.ts';

export type Group = 'portfolio' | 'questions' | 'documents' | 'orders' | 'scripts' | 'plans' | 'drafts' | 'accounts';

// biome-ignore lint/suspicious/noExplicitAny: answers of thirty tools, read where their shape is known.
export type Body = Record<string, any>;
export type Args = Readonly<Record<string, unknown>>;
export type Computed<Value> = Value | ((bodies: readonly Body[]) => Value);

/** One call of the ideal assistant, or a command of the person. */
export type Step = ToolStep | CommandStep;

export interface ToolStep {
  readonly tool: string;
  readonly args?: Computed<Args>;
  /** Called again with these until it returns undefined: pages, lists of tasks. */
  readonly again?: (bodies: readonly Body[]) => Args | undefined;
  /** Waits before each call of `again`. */
  readonly everySeconds?: number;
  /** Which of the servers is called; default the first. */
  readonly server?: number;
  /** Waits before the call, because the world needs the time: for a report, or for an order to fill. */
  readonly afterSeconds?: number;
  /** The next steps do not wait for the result. Its body is empty until it comes; the reply has all of them. */
  readonly runsOn?: boolean;
}

/** A command that the person types in a terminal. Its body has the exit code and the lines of its output. */
export interface CommandStep {
  readonly command: Computed<readonly string[]>;
  readonly afterSeconds?: number;
}

/**
 * What a reply says, by name. Amounts are decimal strings in pounds, to the penny; anything else is text. In free text
 * a figure whose name ends in Percent may be rounded to a tenth.
 */
export type Figures = Readonly<Record<string, string>>;

/** What is true, from the service's own books. */
export interface Truth {
  readonly books: GroundTruth;
  /** The books before the person asked. */
  readonly before: GroundTruth;
  /** Those of the second account, now and before; undefined where there is one. */
  readonly second: GroundTruth | undefined;
  readonly secondBefore: GroundTruth | undefined;
  /** The moment of `before` (ms). */
  readonly startedAt: number;
  readonly world: World;
  /** The moment of the books (ms). */
  readonly at: number;
}

/** An order that must exist, sent by the server; signed quantity, as in the books. */
export interface WantedOrder {
  readonly ticker: string;
  readonly type: 'LIMIT' | 'MARKET' | 'STOP' | 'STOP_LIMIT';
  readonly quantity: string;
  readonly limitPrice?: string;
  readonly stopPrice?: string;
  readonly timeInForce?: 'DAY' | 'GOOD_TILL_CANCEL';
  readonly ends: 'pending' | 'FILLED' | 'CANCELLED';
  /** In the second account instead of the first. */
  readonly isInSecond?: true;
}

export interface Eval {
  readonly id: string;
  readonly group: Group;
  /** The request in the person's words. */
  readonly words: string;
  readonly setting?: Setting;
  readonly calls: readonly Step[];
  /** The reply of the ideal assistant, from the bodies of its calls in order. */
  readonly answer: (bodies: readonly Body[]) => Figures;
  readonly truth: (truth: Truth) => Figures;
  /** The orders that must have been placed, and no other; default none. */
  readonly orders?: FromTruth<readonly WantedOrder[]>;
  /** How often a place tool may be called; default once per order. */
  readonly placeCalls?: number;
  /** Orders that the service rejects: they are sent, and are not in the books. */
  readonly rejected?: number;
  /** How often a draft may be submitted; default never. */
  readonly submitCalls?: number;
  /** Other writes that may reach the service. */
  readonly writes?: readonly EndpointId[];
  /** Requests that may reach the service: on a fresh store, and on one that knows the account. */
  readonly requests: { readonly cold: number; readonly warm: number };
  /** What was asked before, for the warm play. Left out: the same request, some time later. */
  readonly warmUp?: readonly Step[];
  /**
   * Played once, one after the other with the evaluations of the same setting, on one site that knows the account; its
   * requests are the warm ones. For what changes nothing that another one is about.
   */
  readonly shares?: true;
  /** What happens between the two plays. */
  readonly meanwhile?: Setting['prepare'];
  /** Why no model plays it: it has one server only, or no influence on what happens. */
  readonly scriptedOnly?: string;
}

type FromTruth<Value> = Value | ((truth: Truth) => Value);

/** One call as it was made. */
export interface Called {
  readonly tool: string;
  readonly args: Args;
  readonly isError: boolean;
  readonly body: Body;
}

export interface Hands {
  call(tool: string, args: Args, server?: number): Promise<Called>;
  /** Runs a command as the person does in a terminal, on the store of the servers. */
  run(command: readonly string[]): Promise<Body>;
  /** The tools of the first server, as it lists them. */
  listTools(): Promise<readonly ListedTool[]>;
  /** The moment in the simulated world (ms). */
  now(): number;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The last reply of an assistant. */
export type Said = { readonly figures: Figures } | { readonly text: string } | { readonly failed: string };

export interface Model {
  readonly name: string;
  play(evaluation: Eval, hands: Hands): Promise<Said>;
}
