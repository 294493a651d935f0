import { tools } from '../app/registry.ts';
import { type AccountApp, runOver } from '../app/running-account.ts';
import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { type RunTool, runTool } from '../core/mcp/run-tool.ts';
import { isInReadOnly, isInToolsets, type ToolEffect } from '../core/mcp/tool.ts';
import { isBeingRead } from '../features/history/coverage-notes.ts';
import type { Command } from './command.ts';
import { formatResult } from './format-result.ts';
import { describeScreen, isForPerson } from './output.ts';
import { type AccountContexts, type CommandContext, withAccounts } from './with-app.ts';

/** Outcomes of a tool that places or cancels after which the order is not as requested, or may not be. */
const failures = new Set(['refused', 'rejected', 'declined', 'expired', 'not_sent', 'stopped', 'unknown']);

/**
 * Calls one tool as a client would, and prints the result or the error: in a terminal for a person, else as JSON. The exit code is 1 for an error, and
 * when a tool that changes something at the broker reports that it did not.
 */
export const callCommand: Command = async ({ words, flags }, terminal) => {
  const [name, json = '{}', ...more] = words;
  if (name === undefined) throw new UsageError('call needs the name of a tool, for example: call get_account_summary');
  if (more.length > 0) throw new UsageError('call takes one tool and one JSON object; put the object in quotes.');
  return withAccounts(flags, terminal, async (accounts) => {
    const [{ config }] = accounts;
    const chosen = tools.filter((tool) => isInToolsets(tool, config) && (!config.readOnly || isInReadOnly(tool)));
    const result = await runOnAccounts(accounts, chosen)(name, parseJson(json), {
      signal: terminal.shutdownSignal,
      onProgress: (message) => terminal.warn(message),
    });
    if (isForPerson(flags, terminal))
      for (const line of formatResult(result.body, describeScreen(terminal, systemClock))) terminal.print(line);
    else terminal.print(JSON.stringify(result.body, null, 2));
    if (!result.isError && isBeingRead(result.body))
      terminal.warn(
        'History is still loading, and loading stops when this command exits. Run the same call again to continue.',
      );
    return hasFailed(
      chosen.find((tool) => tool.name === name),
      result,
    )
      ? 1
      : 0;
  });
};

/** With several accounts, a call reaches those that it names, as in a server. */
function runOnAccounts([first, ...others]: AccountContexts, chosen: typeof tools): RunTool {
  const toApp = ({ services }: CommandContext): AccountApp => ({
    services,
    // The app was opened for this command.
    ready: async () => undefined,
    runWith: (pooledWith) => (name, args, options) => runTool(chosen, name, args, { ...services, pooledWith }, options),
  });
  return runOver([toApp(first), ...others.map(toApp)], chosen);
}

/** Whether the tool ended with an error, or did not do at the broker what it was asked to. */
export const hasFailed = (
  tool: { readonly effect: ToolEffect } | undefined,
  { isError, body }: Pick<Awaited<ReturnType<typeof runTool>>, 'isError' | 'body'>,
): boolean => isError || (tool !== undefined && tool.effect !== 'reads' && failures.has(String(body.outcome)));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse throws for invalid JSON only.
    throw new UsageError(`the arguments are not JSON: ${text.slice(0, 80)}`);
  }
}
