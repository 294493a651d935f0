/** Sends a call to the account that it names, or asks all accounts and merges what they return. */

import { BrokerageError } from '../../core/errors.ts';
import { orElse } from '../../core/log.ts';
import { argumentNames } from '../../core/mcp/parse-arguments.ts';
import { type CallOptions, type RunTool, type ToolResult, toErrorResult } from '../../core/mcp/run-tool.ts';
import {
  type AccountBeside,
  isAboutMarket,
  isQuestion,
  type ToolDefinition,
  weightsArgument,
} from '../../core/mcp/tool.ts';
import { buildToolResult, formatErrorText, longestFor, type ResponseBody } from '../../core/mcp/tool-result.ts';
import { allAccounts, sameAccountError } from '../../core/settings/account-names.ts';
import type { Environment } from '../../core/settings/config.ts';
import { didYouMean } from '../../core/text/suggestions.ts';
import { type AccountResult, countRows, mergeResults } from './merge-results.ts';
import { type Arguments, type MergeRule, mergeRules } from './merge-rules.ts';
import { addTaxFacts, isAboutTax, isMatchedTogether, type TaxAccount, taxReserve } from './tax-year.ts';

/** An account of the server, and what runs a call on it. */
export interface RunningAccount extends TaxAccount {
  /** The id under which the store keeps the account; two names of one account have one id. Rejects while it is unknown. */
  readonly id: () => Promise<string>;
  /** Reads what it has, for a call about another account that counts it. Throws when it cannot be read. */
  readonly read: AccountBeside['read'];
  /** Runs a call on this account with the rows of the named other ones, for what the law counts together. */
  readonly runTogether: (others: readonly string[]) => RunTool;
}

interface ServedAccounts {
  readonly accounts: readonly [RunningAccount, ...RunningAccount[]];
  readonly tools: readonly ToolDefinition[];
  readonly environment: Environment;
  /** What may be paid into ISAs in a tax year; undefined when the owner did not say. */
  readonly isaAllowance?: string | undefined;
}

/** A page of one account follows its predecessor within this number of calls. */
const maxPages = 400;

/** Runs calls on several accounts. Never throws: every failure becomes an error result. */
export function createAccountRunner(deps: ServedAccounts): RunTool {
  const [first] = deps.accounts;
  return async (name, args, options) => {
    const tool = deps.tools.find((candidate) => candidate.name === name);
    if (!tool || isAboutMarket(tool)) return first.run(name, args, options);
    try {
      const call = readCall(tool, args, deps.accounts);
      if (isAboutTax(name, call.args)) return await runOnTax(deps, tool, call, options);
      const { account, beside } = call;
      if (account) return await runOnOne(account, tool, call.args, beside ? { ...options, beside } : options);
      return await runOnAll(deps, tool, call, options);
    } catch (error) {
      return toErrorResult(error, tool);
    }
  };
}

interface AccountCall {
  /** Undefined for all accounts. */
  readonly account: RunningAccount | undefined;
  /** Those of the tool, with its own cursor. */
  readonly args: Arguments;
  /** Where the page of all accounts begins; undefined for the first page. */
  readonly place: string | undefined;
  /** The other accounts, where the target weights are over all of them. */
  readonly beside?: readonly RunningAccount[] | undefined;
}

/** Separates an account from the cursor of its page, or `all` from the number of rows before the page. */
const cursorSign = '.';

function readCall(tool: ToolDefinition, args: unknown, accounts: readonly RunningAccount[]): AccountCall {
  // The tool itself reports arguments that are no object.
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return {
      account: isQuestion(tool) ? undefined : requireName(tool, accounts),
      args: (args ?? {}) as Arguments,
      place: undefined,
    };
  const { account: given, cursor, ...others } = args as Arguments;
  const { isOverAll, rest } = tool.weighsAccounts ? readWeights(others) : { isOverAll: false, rest: others };
  const [ofCursor, place] = typeof cursor === 'string' ? splitCursor(cursor) : [];
  if (given !== undefined && ofCursor !== undefined && given !== ofCursor)
    throw new BrokerageError(
      'invalid_argument',
      `The cursor is of the account ${ofCursor}, and account is ${JSON.stringify(given).slice(0, 40)}.`,
      'Omit account, or omit cursor to start from the first page.',
    );
  const chosen = given ?? ofCursor;
  if (chosen === undefined || chosen === allAccounts) {
    if (!isQuestion(tool) || isForOne(tool, rest)) throw nameRequired(tool, accounts);
    return { account: undefined, args: rest, place };
  }
  const account = accounts.find(({ name }) => name === chosen) ?? unknownAccount(String(chosen), accounts);
  return {
    account,
    args: withCursor(rest, place),
    place: undefined,
    beside: isOverAll ? accounts.filter((one) => one !== account) : undefined,
  };
}

/** Takes the argument for weights over all accounts out of those of the tool. */
function readWeights({ [weightsArgument]: given, ...rest }: Arguments): {
  readonly isOverAll: boolean;
  readonly rest: Arguments;
} {
  if (given === undefined || given === allAccounts) return { isOverAll: given === allAccounts, rest };
  throw new BrokerageError(
    'invalid_argument',
    `${weightsArgument} must be ${allAccounts}.`,
    `Omit it for the weights of one account, or give ${allAccounts}.`,
  );
}

const withCursor = (args: Arguments, cursor: string | undefined): Arguments =>
  cursor === undefined ? args : { ...args, cursor };

const splitCursor = (cursor: string): readonly [string | undefined, string] => {
  const at = cursor.indexOf(cursorSign);
  // A cursor of no account of ours: the tool refuses it.
  return at < 0 ? [undefined, cursor] : [cursor.slice(0, at), cursor.slice(at + 1)];
};

function readOffset(place: string | undefined): number {
  if (place === undefined) return 0;
  if (/^\d{1,6}$/.test(place)) return Number(place);
  throw new BrokerageError(
    'invalid_argument',
    'cursor is not a nextCursor from this tool.',
    'Omit cursor to start from the first page.',
  );
}

/** Whether a question is about one account: it has no rule, or an argument that has a meaning for one only. */
function isForOne({ name }: ToolDefinition, args: Arguments): boolean {
  const rule = mergeRules[name];
  return rule === undefined || (rule.onlyForOne !== undefined && args[rule.onlyForOne] !== undefined);
}

const namesOf = (accounts: readonly RunningAccount[]): string[] => accounts.map(({ name }) => name);

const requireName = (tool: ToolDefinition, accounts: readonly RunningAccount[]): never => {
  throw nameRequired(tool, accounts);
};

const nameRequired = ({ name }: ToolDefinition, accounts: readonly RunningAccount[]): BrokerageError =>
  new BrokerageError(
    'account_required',
    `${name} needs the account that it is for.`,
    `Ask the user unless it is clear, and call again with account: ${namesOf(accounts).join(' or ')}.`,
    { accounts: namesOf(accounts) },
  );

function unknownAccount(given: string, accounts: readonly RunningAccount[]): never {
  const names = namesOf(accounts);
  throw new BrokerageError(
    'account_required',
    `There is no account ${JSON.stringify(given.slice(0, 40))}.`,
    `${didYouMean(given.slice(0, 40), names)}.`,
    { accounts: names },
  );
}

/** Of all accounts, those that are not exempt; an ISA that the call names, and the note says what it is. */
async function runOnTax(
  deps: ServedAccounts,
  tool: ToolDefinition,
  call: AccountCall,
  options: CallOptions,
): Promise<ToolResult> {
  const isas = deps.accounts.filter(({ kind }) => kind === 'isa');
  const taxable = deps.accounts.filter(({ kind }) => kind !== 'isa');
  const shown = call.account ? [call.account] : taxable.length > 0 ? taxable : isas;
  const [first, ...others] = shown;
  if (!first) return runOnAll(deps, tool, call, options);
  const reserved = { ...options, reserve: taxReserve };
  const exempt = call.account && call.account.kind === 'isa' ? [call.account] : isas;
  const question = { tool: tool.name, args: withCursor(call.args, call.place), allowance: deps.isaAllowance, options };
  if (others.length > 0 && isMatchedTogether(tool.name, call.args)) {
    const together = await runTogether([first, ...others], tool, question.args, reserved);
    if (!together.isError) return addTaxFacts(together, shown, exempt, { ...question, matched: 'together' });
  }
  // Where they cannot be read together, the rows of those that can be read are still worth more than an error.
  const result =
    others.length === 0
      ? await runOnOne(first, tool, call.args, reserved)
      : await runOnAll({ ...deps, accounts: [first, ...others] }, tool, call, reserved);
  const matched = taxable.length > 1 && first.kind !== 'isa' ? 'apart' : undefined;
  return addTaxFacts(result, shown, exempt, { ...question, matched });
}

async function runTogether(
  [first, ...others]: readonly [RunningAccount, ...RunningAccount[]],
  tool: ToolDefinition,
  args: Arguments,
  options: CallOptions,
): Promise<ToolResult> {
  const result = await first.runTogether(namesOf(others))(tool.name, args, withReserve(options));
  if (!result.isError) await refuseOneTwice([first, ...others]);
  return withAccount(result, allAccounts);
}

async function runOnOne(
  { name, run }: RunningAccount,
  tool: ToolDefinition,
  args: Arguments,
  options: CallOptions,
): Promise<ToolResult> {
  return withAccount(await run(tool.name, args, withReserve(options)), name);
}

const withReserve = (options: CallOptions): CallOptions => ({
  ...options,
  reserve: (options.reserve ?? 0) + nameReserve,
});

/** The characters that the name of an account can take, with that in its cursor. */
const nameReserve = 80;

/** Adds the name to a result and to its cursor. */
function withAccount(result: ToolResult, account: string): ToolResult {
  const { env, ...rest } = result.body;
  const cursor = typeof rest.nextCursor === 'string' && { nextCursor: `${account}${cursorSign}${rest.nextCursor}` };
  if (result.isError) {
    const body: ResponseBody = { ...result.body, account };
    return { isError: true, text: formatErrorText(body), body };
  }
  const body: ResponseBody = { env, account, ...rest, ...cursor };
  return { ...result, body, text: JSON.stringify(body) };
}

async function runOnAll(
  { accounts, environment }: ServedAccounts,
  tool: ToolDefinition,
  { args, place }: AccountCall,
  options: CallOptions,
): Promise<ToolResult> {
  const offset = readOffset(place);
  const rule = mergeRules[tool.name] ?? {};
  const limit = readLimit(rule, args);
  const results = await Promise.all(
    accounts.map((account) =>
      readPages(account, tool, rule, args, { ...options, wantsAllRows: true }, offset + (limit ?? 0)),
    ),
  );
  const failed = results.filter(({ isError }) => isError);
  const [one, ...others] = results.filter(({ isError }) => !isError);
  if (!one) return mergeErrors(failed);
  const isOfOne = rule.finds === true || (rule.finds !== undefined && args[rule.finds] !== undefined);
  if (isOfOne && others.length === 0) return one.result;
  await refuseOneTwice(accounts);
  const reply = mergeResults(results, rule, {
    ...{ offset, limit, order: rule.order?.(args) },
    cursorAt: (next) => `${allAccounts}${cursorSign}${next}`,
  });
  const most = options.wantsAllRows ? Number.POSITIVE_INFINITY : longestFor(reply) - (options.reserve ?? 0);
  return { isError: false, ...buildToolResult(reply, environment, most) };
}

/** The most rows of a page; undefined where the tool has no limit, or the caller gave none that can be read. */
function readLimit({ limit }: MergeRule, args: Arguments): number | undefined {
  if (limit === undefined || args.limit === undefined) return limit?.standard;
  const asked = typeof args.limit === 'string' || typeof args.limit === 'number' ? Number(args.limit) : Number.NaN;
  return Number.isInteger(asked) && asked > 0 && asked <= limit.most ? asked : undefined;
}

/** Reads the pages of one account until it has as many rows as the merged page needs. */
async function readPages(
  account: RunningAccount,
  tool: ToolDefinition,
  { limit }: MergeRule,
  args: Arguments,
  options: CallOptions,
  needed: number,
): Promise<AccountResult & { readonly result: ToolResult }> {
  // The tool itself refuses a limit that is none.
  const isSet = limit !== undefined && readLimit({ limit }, args) !== undefined;
  const own = isSet && argumentNames(tool).includes('limit') ? { ...args, limit: Math.min(limit.most, needed) } : args;
  const result = await account.run(tool.name, own, options);
  const body: ResponseBody = { ...result.body };
  let cursor = body.nextCursor;
  for (
    let page = 1;
    page < maxPages && cursor !== undefined && (limit === undefined || countRows(body) < needed);
    page++
  ) {
    const next = await account.run(tool.name, { ...own, cursor }, options);
    // The rows so far are no complete list, and a part of one must not seem to be.
    if (next.isError)
      return { account: account.name, ...next, hasMore: false, result: withAccount(next, account.name) };
    for (const name of ['rows', 'items'])
      if (body[name])
        body[name] = [...(body[name] as unknown[]), ...((next.body[name] as unknown[] | undefined) ?? [])];
    cursor = next.body.nextCursor;
  }
  const hasMore = cursor !== undefined;
  return { account: account.name, isError: result.isError, body, hasMore, result: withAccount(result, account.name) };
}

/** All accounts failed. An error that is the same for all of them is about the question. */
function mergeErrors(failed: readonly (AccountResult & { readonly result: ToolResult })[]): ToolResult {
  const [first, ...others] = failed.map(({ body }) => body);
  const isSame = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
  const body: ResponseBody = isSame
    ? { ...first }
    : { ...first, accounts: failed.map(({ account, body: { code, message } }) => ({ account, code, message })) };
  return { isError: true, text: formatErrorText(body), body };
}

/** Two keys of one account would count everything twice. Before the first summary of both, the store does not know it. */
async function refuseOneTwice(accounts: readonly RunningAccount[]): Promise<void> {
  const ids = await Promise.all(accounts.map(({ id }) => id().catch(orElse('the accounts', undefined))));
  for (const [index, id] of ids.entries()) {
    const before = id === undefined ? -1 : ids.indexOf(id);
    if (before < 0 || before === index) continue;
    throw sameAccountError(accounts[before]?.name, accounts[index]?.name);
  }
}
