/** The commands by name. */
import type { CommandEntry } from './command.ts';
import type { FlagKinds } from './parse-command-line.ts';

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

export const commands: Record<string, CommandEntry> = {
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
