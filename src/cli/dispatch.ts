/** Finds the typed command and runs it. Exit codes: 0 done, 1 error result, 2 wrong usage, 130 interrupted (report, tax-pack, import). */
import { BrokerageError, UsageError } from '../core/errors.ts';
import type { ProcessContext } from '../core/process/process-context.ts';
import { createStyle } from '../core/process/style.ts';
import { version } from '../core/process/version.ts';
import { closestMatches, didYouMean } from '../core/text/suggestions.ts';
import { commands } from './command-table.ts';
import { createNameCommands, withOwnCommands } from './own-command.ts';
import { commonFlags, parseArguments } from './parse-command-line.ts';

/** Runs the command line; returns the exit code. */
export async function main(terminal: ProcessContext): Promise<number> {
  try {
    const [first] = terminal.argv;
    if (first === 'help') return await main({ ...terminal, argv: [...terminal.argv.slice(1), '--help'] });
    const named = first !== undefined && !first.startsWith('-') ? first : undefined;
    const entry = named === undefined ? commands.serve : Object.hasOwn(commands, named) ? commands[named] : undefined;
    if (!entry) {
      const [near] = closestMatches(named ?? '', Object.keys(commands), 1);
      const instead = near === undefined ? 'brokerage-mcp --help lists the commands' : `the closest one is ${near}`;
      throw new UsageError(`${named} is not a command; ${instead}.`);
    }
    const rest = named === undefined ? terminal.argv : terminal.argv.slice(1);
    const input = parseArguments(rest, { ...commonFlags, ...entry.flags }, named);
    if (entry.takesNoWords) refuseWords(named, input.words);
    if (input.flags.version === 'true') return say(terminal, version);
    if (input.flags.help === 'true') {
      const { formatCommandHelp, formatHelp } = await import('./commands.ts');
      const style = createStyle(terminal.env, terminal.screens.output.isTerminal);
      return say(terminal, named === undefined ? formatHelp(commands, style) : formatCommandHelp(entry, style));
    }
    return await (await entry.load())(input, withOwnCommands(terminal, input.flags.json === 'true'));
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof BrokerageError)) throw error;
    const next = error instanceof BrokerageError ? ` ${error.next}` : '';
    const style = createStyle(terminal.env, terminal.screens.errors.isTerminal);
    const text = `${error.message}${next}`;
    const named = terminal.screens.errors.isTerminal ? createNameCommands(terminal)(text) : text;
    terminal.warn(`${style('bad', 'brokerage-mcp:')} ${named}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Refuses words. Without it, `--env live halt` would start a server, and the user would believe that trading is halted. */
function refuseWords(named: string | undefined, [word]: readonly string[]): void {
  if (word === undefined) return;
  if (named !== undefined) throw new UsageError(`${named} takes no arguments, but got "${word}".`);
  if (Object.hasOwn(commands, word)) {
    throw new UsageError(`${word} did not run, because flags stand before it; write brokerage-mcp ${word} first.`);
  }
  throw new UsageError(`"${word}" is not a flag; ${didYouMean(word, ['--help', '--version'])}.`);
}

function say(terminal: ProcessContext, text: string): number {
  terminal.print(text);
  return 0;
}
