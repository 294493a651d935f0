/** Finds the typed command and runs it. Exit codes: 0 done, 1 error result, 2 wrong usage, 130 interrupted (report, tax-pack, import). */
import { BrokerageError, UsageError } from '../errors.ts';
import type { ProcessContext } from '../process/process-context.ts';
import { version } from '../process/version.ts';
import { didYouMean } from '../suggestions.ts';
import type { Command } from './command.ts';
import { commonFlags, type FlagKinds, parseArguments } from './parse-command-line.ts';

interface CommandEntry {
  readonly usage: string;
  readonly meaning: string;
  /** Flags in addition to the common ones. */
  readonly flags?: FlagKinds;
  /** Set when it takes flags alone, so that a mistyped line does not run without what its words ask for. */
  readonly takesNoWords?: true;
  /** Loads the command when it runs, so that a start loads no other command. */
  readonly load: () => Promise<Command>;
}

/** Flags that select the host, how it starts this program, and the account. */
const hostFlags: FlagKinds = {
  client: 'text',
  command: 'text',
  pinned: 'switch',
  'base-url': 'text',
  'key-file': 'text',
  'secret-file': 'text',
  'key-command': 'text',
  'secret-command': 'text',
  'draft-only': 'switch',
};

const commands: Record<string, CommandEntry> = {
  serve: {
    usage: 'brokerage-mcp [flags]',
    meaning: 'serve MCP on standard input and output, or over HTTP with --http HOST:PORT',
    takesNoWords: true,
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  demo: {
    usage: 'brokerage-mcp demo',
    meaning: 'run a sample session on the simulated account',
    takesNoWords: true,
    load: async () => (await import('./commands.ts')).demoCommand,
  },
  init: {
    usage:
      'brokerage-mcp init [--client HOST] [--base-url URL] [--key-file FILE [--secret-file FILE]] [--draft-only] [--yes] [--no-doctor]',
    meaning:
      'connect the hosts on this machine: asks, shows each change, keeps copies; with --draft-only the assistant drafts orders and a person sends them',
    flags: { ...hostFlags, yes: 'switch', 'no-doctor': 'switch' },
    load: async () => (await import('./commands.ts')).initCommand,
  },
  remove: {
    usage: 'brokerage-mcp remove [--client HOST|all] [--yes] [--forget]',
    meaning: 'remove the entry from the hosts; --forget also deletes stored keys and settings',
    flags: { client: 'text', yes: 'switch', forget: 'switch' },
    load: async () => (await import('./commands.ts')).removeCommand,
  },
  'print-config': {
    usage: 'brokerage-mcp print-config --client HOST [--draft-only] [--pinned | --command COMMAND]',
    meaning: 'print the entry for the configuration of one host',
    flags: hostFlags,
    load: async () => (await import('./commands.ts')).printConfigCommand,
  },
  simulate: {
    usage: 'brokerage-mcp simulate [--port N] [--seed N] [--clock real|fixed] [--from-account demo|live]',
    meaning:
      'run only the simulated service, on a loopback port; a fixed clock advances only with requests; --from-account starts with a copy of an account, which is only read',
    flags: { port: 'text', seed: 'text', clock: 'text', 'from-account': 'text' },
    takesNoWords: true,
    load: async () => (await import('./commands.ts')).simulateCommand,
  },
  call: {
    usage: 'brokerage-mcp call TOOL [\'{"argument": …}\']',
    meaning: 'call one tool and print its result as JSON',
    load: async () => (await import('./commands.ts')).callCommand,
  },
  report: {
    usage: 'brokerage-mcp report FILE.html [--force]',
    meaning: 'write portfolio, dividends, gains, returns and costs as one page; Ctrl+C writes the data read so far',
    flags: { force: 'switch' },
    load: async () => (await import('./commands.ts')).reportCommand,
  },
  'cost-basis': {
    usage:
      'brokerage-mcp cost-basis [list | set | remove] [--fill ID | --ticker TICKER --at TIME] [--acquired DATE | --parent TICKER | --part] [--cost AMOUNT --currency CODE] [--env ENV] [--account ID]',
    meaning:
      'enter what shares cost that were transferred in or came from a spin-off, or the part of a cost that belongs to money from a take-over, for realised gains',
    flags: {
      fill: 'text',
      ticker: 'text',
      at: 'text',
      acquired: 'text',
      parent: 'text',
      part: 'switch',
      account: 'text',
      cost: 'text',
      currency: 'text',
    },
    load: async () => (await import('./commands.ts')).costBasisCommand,
  },
  'tax-pack': {
    usage: 'brokerage-mcp tax-pack --year 2025/26 --out FOLDER [--force]',
    meaning: 'write the disposals, dividends, interest and costs of a UK tax year as one page and CSV files',
    flags: { year: 'text', out: 'text', force: 'switch' },
    load: async () => (await import('./commands.ts')).taxPackCommand,
  },
  import: {
    usage: 'brokerage-mcp import [--years N]',
    meaning: 'read the complete history through CSV reports, a year in half a minute; a later run continues it',
    flags: { years: 'text' },
    load: async () => (await import('./commands.ts')).importCommand,
  },
  status: {
    usage: 'brokerage-mcp status [--json]',
    meaning: 'show the store: trading, open orders, pending approvals, the audit trail',
    flags: { json: 'switch' },
    takesNoWords: true,
    load: async () => (await import('./commands.ts')).statusCommand,
  },
  doctor: {
    usage: 'brokerage-mcp doctor [--json] [--offline] [--timeout SECONDS]',
    meaning: 'check the installation and suggest fixes',
    flags: { json: 'switch', offline: 'switch', timeout: 'text' },
    load: async () => (await import('./commands.ts')).doctorCommand,
  },
  plans: {
    usage:
      "brokerage-mcp plans [list | add NAME '{plan_orders arguments}' --every month|week --day D | remove NAME | due]",
    meaning: 'plans that make a draft every month or week; due makes the drafts that are due, and sends nothing',
    flags: { every: 'text', day: 'text' },
    load: async () => (await import('./commands.ts')).plansCommand,
  },
  drafts: {
    usage:
      'brokerage-mcp drafts [list | show ID [--page] | submit ID [--version N] [--repeat-of SUBMISSION] | discard ID | edit ID [--version N] --leg N (--remove | --quantity Q | --limit-price P)]',
    meaning:
      'list the drafts of orders; show, send, discard or edit one: an edit can only make it smaller or stricter. --version is the one that you saw, --page opens it in the browser',
    flags: {
      page: 'switch',
      version: 'text',
      'repeat-of': 'text',
      leg: 'text',
      remove: 'switch',
      quantity: 'text',
      'limit-price': 'text',
    },
    load: async () => (await import('./commands.ts')).draftsCommand,
  },
  enroll: {
    usage: 'brokerage-mcp enroll [--approval page|terminal|elicitation]',
    meaning: 'enrol the passphrase, the approval method and the limits for live orders',
    takesNoWords: true,
    load: async () => (await import('./commands.ts')).enrollCommand,
  },
  approve: {
    usage: 'brokerage-mcp approve [INTENT | SUBMISSION]',
    meaning: 'show a waiting order, or the draft of a submission, and approve it with the passphrase',
    load: async () => (await import('./commands.ts')).approveCommand,
  },
  reject: {
    usage: 'brokerage-mcp reject [INTENT]',
    meaning: 'reject a waiting order',
    load: async () => (await import('./commands.ts')).rejectCommand,
  },
  halt: {
    usage: 'brokerage-mcp halt [REASON]',
    meaning: 'stop new orders at once, in every process and environment of the store',
    load: async () => (await import('./commands.ts')).haltCommand,
  },
  resume: {
    usage: 'brokerage-mcp resume',
    meaning: 'lift a halt or lock, and close orders whose outcome stayed unknown',
    takesNoWords: true,
    load: async () => (await import('./commands.ts')).resumeCommand,
  },
};

/** Runs the command line; returns the exit code. */
export async function main(terminal: ProcessContext): Promise<number> {
  try {
    const [first] = terminal.argv;
    // Without this line, the suggestion for "help" would be the similar "halt".
    if (first === 'help') return say(terminal, (await import('./commands.ts')).formatHelp(Object.values(commands)));
    const named = first !== undefined && !first.startsWith('-') ? first : undefined;
    const entry = named === undefined ? commands.serve : Object.hasOwn(commands, named) ? commands[named] : undefined;
    if (!entry) {
      throw new UsageError(`${named} is not a command; ${didYouMean(named ?? '', Object.keys(commands))}.`);
    }
    const rest = named === undefined ? terminal.argv : terminal.argv.slice(1);
    const input = parseArguments(rest, { ...commonFlags, ...entry.flags });
    if (entry.takesNoWords) refuseWords(named, input.words);
    if (input.flags.version === 'true') return say(terminal, version);
    if (input.flags.help === 'true')
      return say(terminal, (await import('./commands.ts')).formatHelp(Object.values(commands)));
    return await (await entry.load())(input, terminal);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof BrokerageError)) throw error;
    const next = error instanceof BrokerageError ? ` ${error.next}` : '';
    terminal.warn(`brokerage-mcp: ${error.message}${next}`);
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
