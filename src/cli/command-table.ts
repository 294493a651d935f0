/**
 * The commands by name, for the parser and the help. The first words of `subcommands` are those that the command
 * knows.
 */
import { approvalMethods } from '../core/orders/intent/approval-methods.ts';
import { settings } from '../core/settings/setting-definitions.ts';
import { fileFormatNames } from '../features/documents/format-names.ts';
import type { CommandEntry, Flag, Flags } from './command.ts';

const text = (value: string, description: string): Flag => ({ kind: 'text', value, description });
const onOff = (description: string): Flag => ({ kind: 'switch', description });

const json = onOff('print JSON, for a program');
const overwrite = onOff('overwrite existing files');

/** Flags that select how a host starts this program, and the account. */
const entryFlags: Flags = {
  command: text('COMMAND', 'start this program with COMMAND instead of this file'),
  'base-url': text('URL', 'address of the service; demo and live only'),
  'key-file': text('FILE', settings.apiKeyFile.description),
  'secret-file': text('FILE', settings.apiSecretFile.description),
  'key-command': text('COMMAND', settings.apiKeyCommand.description),
  'secret-command': text('COMMAND', settings.apiSecretCommand.description),
  'draft-only': onOff('give the assistant no tool that sends an order'),
};

const reportFormats = ['page', ...fileFormatNames];

const costBasisActions = {
  list: 'show the costs that were entered; also without a sub-command',
  set: 'enter the cost of a row, or replace it',
  remove: 'remove the cost of a row',
};

const plansActions = {
  list: 'show the plans, and what each did last; also without a sub-command',
  "add NAME '{plan_orders arguments}' --every month|week --day D": 'keep a plan',
  'remove NAME': 'remove a plan; the drafts that it made stay',
  due: 'make the drafts that are due now, and send nothing',
};

const draftsActions = {
  list: 'list the open drafts; also without a sub-command',
  'show ID [--page]': 'show a draft, with estimates and checks',
  'submit ID [--version N] [--repeat-of SUBMISSION]': 'send its orders, after the approval if they need one',
  'discard ID': 'close a draft, or stop what is being sent',
  'edit ID [--version N] --leg N (--remove | --quantity Q | --limit-price P)': 'make one leg smaller or stricter',
};

const clientsActions = {
  list: 'show the connected clients, what each may do and when it was last used; also without a sub-command',
  'add NAME --redirect URL': 'make an id and a secret for a client into which they are typed',
  'revoke (ID | --all)': 'disconnect a client, or remove one that was added; or disconnect all',
};

const passkeyActions = {
  list: 'show the devices that can approve on the public page; also without a sub-command',
  'add NAME': 'add a device, with the passphrase, at an address that is shown',
  'remove NAME': 'remove a device; it approves nothing any more',
};

const watchActions = {
  list: 'show what was added; also without a sub-command',
  'add [TICKER] (--above PRICE | --below PRICE | --percent N)':
    'watch the price of a holding, or a move of it or of the portfolio',
  'remove ID': 'remove a watch',
};

/** The part of a usage line that selects a sub-command: its name alone, because the help has a list of them. */
const oneOf = (subcommands: Readonly<Record<string, string>>) =>
  `[${Object.keys(subcommands)
    .map((usage) => usage.split(' ')[0])
    .join(' | ')}]`;

export const commands: Record<string, CommandEntry> = {
  serve: {
    group: 'administration',
    usage: 'brokerage-mcp [flags]',
    meaning: 'serve MCP on standard input and output, or over HTTP with --http HOST:PORT',
    takesNoWords: true,
    document: 'docs/settings.md',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  demo: {
    group: 'everyday',
    usage: 'brokerage-mcp demo',
    meaning:
      'a tour of the sandbox: a sample session on the simulated account. It is not the environment demo, the paper money of the broker',
    takesNoWords: true,
    document: 'docs/simulator.md',
    load: async () => (await import('./commands.ts')).demoCommand,
  },
  init: {
    group: 'everyday',
    usage:
      'brokerage-mcp init [--client HOST] [--base-url URL] [--key-file FILE [--secret-file FILE]] [--add-account NAME] [--draft-only] [--yes] [--no-doctor]',
    meaning:
      'connect the hosts on this machine: asks, shows each change, keeps copies; with --draft-only the assistant drafts orders and a person sends them',
    flags: {
      client: text('HOST', 'the hosts, separated by commas, or all that are found'),
      ...entryFlags,
      'add-account': text('NAME', 'add an account with this key, such as isa, or savings:isa for another name'),
      yes: onOff('ask nothing; needs --client'),
      'no-doctor': onOff('skip the check at the end'),
    },
    document: 'README.md',
    load: async () => (await import('./commands.ts')).initCommand,
  },
  remove: {
    group: 'administration',
    usage: 'brokerage-mcp remove [--client HOST|all] [--yes] [--forget]',
    meaning: 'remove the entry from the hosts; --forget also deletes stored keys and settings',
    flags: {
      client: text('HOST', 'the hosts, separated by commas, or all (default)'),
      yes: onOff('ask nothing'),
      forget: onOff('with --yes: also delete stored keys and settings'),
    },
    document: 'docs/operations.md',
    load: async () => (await import('./commands.ts')).removeCommand,
  },
  'print-config': {
    group: 'administration',
    usage: 'brokerage-mcp print-config --client HOST [--draft-only] [--command COMMAND]',
    meaning: 'print the entry for the configuration of one host',
    flags: { client: text('HOST', 'the host'), ...entryFlags },
    document: 'README.md',
    load: async () => (await import('./commands.ts')).printConfigCommand,
  },
  simulate: {
    group: 'administration',
    usage:
      'brokerage-mcp simulate [--port N] [--seed N] [--clock real|fixed] [--accounts NAMES] [--from-account demo|live]',
    meaning:
      'run only the simulated service, on a loopback port; a fixed clock advances only with requests; --accounts serves several accounts, each with its key; --from-account starts with a copy of an account, which stays as it is',
    flags: {
      port: text('N', 'the port; 0 (default) selects a free one'),
      seed: text('N', 'the same seed gives the same accounts and prices; default 1'),
      clock: text('real|fixed', 'the clock; default real'),
      accounts: text('NAMES', 'the names of several accounts, separated by commas, such as invest,isa'),
      'from-account': text('demo|live', 'start with a copy of this account, which stays as it is'),
    },
    takesNoWords: true,
    document: 'docs/simulator.md',
    load: async () => (await import('./commands.ts')).simulateCommand,
  },
  call: {
    group: 'everyday',
    usage: 'brokerage-mcp call TOOL [\'{"argument": …}\'] [--json]',
    meaning: 'call one tool and print its result; as JSON with --json and in a pipe',
    flags: { json },
    document: 'docs/tools.md',
    load: async () => (await import('./commands.ts')).callCommand,
  },
  types: {
    group: 'administration',
    usage: 'brokerage-mcp types FOLDER [--force]',
    meaning: 'write the tools as TypeScript types and as an OpenAPI document, for a program',
    flags: { force: overwrite },
    document: 'docs/tools.md',
    load: async () => (await import('./commands.ts')).typesCommand,
  },
  report: {
    group: 'everyday',
    usage: `brokerage-mcp report FILE [--format ${reportFormats.join('|')}] [--force]`,
    meaning:
      'write portfolio, dividends, gains, returns and costs as one page, or all records for another program; Ctrl+C writes the data read so far',
    flags: {
      format: text('NAME', `what to write: ${reportFormats.join(', ')}; default page`),
      force: overwrite,
    },
    document: 'docs/history.md',
    load: async () => (await import('./commands.ts')).reportCommand,
  },
  'cost-basis': {
    group: 'everyday',
    usage: `brokerage-mcp cost-basis ${oneOf(costBasisActions)} [--fill ID | --ticker TICKER --at TIME] [--acquired DATE | --parent TICKER | --part] [--cost AMOUNT --currency CODE] [--env ENV] [--account ID] [--json]`,
    subcommands: costBasisActions,
    meaning:
      'enter what shares cost that were transferred in or came from a spin-off, or the part of a cost that belongs to money from a take-over, for realised gains',
    flags: {
      fill: text('ID', 'the row with this id'),
      ticker: text('TICKER', 'with --at: the row of this ticker, if it has no id'),
      at: text('TIME', 'with --ticker: the time of the row, such as 2024-06-20T12:00:00Z'),
      acquired: text('DATE', 'the day on which shares that were transferred in were acquired'),
      parent: text('TICKER', 'the company of a spin-off, whose cost the new shares share'),
      part: onOff('the row is money that came without a sale, such as from a take-over'),
      account: text('ID', 'use the entry in this account only'),
      json,
      cost: text('AMOUNT', 'the cost of all shares of the row, with charges, or the part of it'),
      currency: text('CODE', 'the currency of the cost, such as GBP'),
    },
    document: 'docs/history.md',
    load: async () => (await import('./commands.ts')).costBasisCommand,
  },
  'tax-pack': {
    group: 'everyday',
    usage: 'brokerage-mcp tax-pack --year 2025/26 --out FOLDER [--force]',
    meaning: 'write the disposals, dividends, interest and costs of a UK tax year as one page and CSV files',
    flags: {
      year: text('2025/26', 'the tax year'),
      out: text('FOLDER', 'the folder of the files; it is created if needed'),
      force: overwrite,
    },
    document: 'docs/history.md',
    load: async () => (await import('./commands.ts')).taxPackCommand,
  },
  import: {
    group: 'everyday',
    usage: 'brokerage-mcp import [--years N] [--json]',
    meaning: 'read the complete history through CSV reports, a year in half a minute; a later run continues it',
    flags: { json, years: text('N', 'read at most this number of years, 1 to 30') },
    document: 'docs/history.md',
    load: async () => (await import('./commands.ts')).importCommand,
  },
  status: {
    group: 'everyday',
    usage: 'brokerage-mcp status [--json]',
    meaning: 'show the store: trading, open orders, pending approvals, the audit trail',
    flags: { json },
    takesNoWords: true,
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).statusCommand,
  },
  doctor: {
    group: 'administration',
    usage: 'brokerage-mcp doctor [--json] [--offline] [--timeout SECONDS]',
    meaning: 'check the installation and suggest fixes',
    flags: {
      json,
      offline: onOff('send no request to the service'),
      timeout: text('SECONDS', 'the time for all checks; default 15'),
    },
    document: 'docs/troubleshooting.md',
    load: async () => (await import('./commands.ts')).doctorCommand,
  },
  plans: {
    group: 'everyday',
    usage: `brokerage-mcp plans ${oneOf(plansActions)} [NAME] [--json]`,
    subcommands: plansActions,
    meaning: 'plans that make a draft every month or week; due makes the drafts that are due, and sends nothing',
    flags: {
      every: text('month|week', 'how often the plan makes a draft'),
      day: text('D', 'the day: 1 to 31, or monday to sunday'),
      json,
    },
    document: 'docs/drafts.md',
    load: async () => (await import('./commands.ts')).plansCommand,
  },
  drafts: {
    group: 'everyday',
    usage: `brokerage-mcp drafts ${oneOf(draftsActions)} [ID] [--json]`,
    subcommands: draftsActions,
    meaning:
      'list the drafts of orders; show, send, discard or edit one: an edit can only make it smaller or stricter. --version is the one that you saw, --page opens it in the browser',
    flags: {
      json,
      page: onOff('open the draft in the browser'),
      version: text('N', 'act on the version that you saw; without it the command shows the draft and asks'),
      'repeat-of': text('SUBMISSION', 'send the trades of this submission again on purpose'),
      leg: text('N', 'the leg to edit, counted from 1'),
      remove: onOff('remove the leg'),
      quantity: text('Q', 'lower the quantity to Q'),
      'limit-price': text('P', 'make the limit price stricter'),
    },
    document: 'docs/drafts.md',
    load: async () => (await import('./commands.ts')).draftsCommand,
  },
  watch: {
    group: 'everyday',
    usage: 'brokerage-mcp watch [--json]',
    meaning: 'watch every account until Ctrl+C: print each event as a line, and notify by what the settings name',
    flags: { json: onOff('print each event as JSON, for a program') },
    takesNoWords: true,
    document: 'docs/watch.md',
    load: async () => (await import('./commands.ts')).watchCommand,
  },
  watches: {
    group: 'everyday',
    usage: `brokerage-mcp watches ${oneOf(watchActions)} [TICKER | ID] [--json]`,
    subcommands: watchActions,
    meaning: 'the prices and moves that are reported beside orders, dividends, approvals and halts',
    flags: {
      above: text('PRICE', 'report when the price rises to PRICE, in the currency of the instrument'),
      below: text('PRICE', 'report when the price falls to PRICE'),
      percent: text('N', 'report a move by N percent since the day before'),
      json,
    },
    document: 'docs/watch.md',
    load: async () => (await import('./commands.ts')).watchesCommand,
  },
  clients: {
    group: 'administration',
    usage: `brokerage-mcp clients ${oneOf(clientsActions)} [NAME | ID] [--redirect URL] [--all] [--json]`,
    subcommands: clientsActions,
    meaning: 'the clients that connect over the web: list, add or disconnect them',
    flags: {
      redirect: text('URL', 'where the client receives the login; several addresses separated by commas'),
      all: onOff('disconnect every client'),
      json,
    },
    document: 'docs/web.md',
    load: async () => (await import('./commands.ts')).clientsCommand,
  },
  enroll: {
    group: 'live',
    usage: `brokerage-mcp enroll [--approval ${approvalMethods.join('|')}]`,
    meaning: 'enrol the passphrase, the approval method and the limits for live orders',
    takesNoWords: true,
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).enrollCommand,
  },
  passkey: {
    group: 'live',
    usage: `brokerage-mcp passkey ${oneOf(passkeyActions)} [NAME] [--json]`,
    subcommands: passkeyActions,
    meaning: 'the passkeys that approve from a phone: list, add or remove them',
    flags: { json },
    document: 'docs/web.md',
    load: async () => (await import('./commands.ts')).passkeyCommand,
  },
  approve: {
    group: 'live',
    usage: 'brokerage-mcp approve [INTENT | SUBMISSION]',
    meaning: 'show a waiting order, or the draft of a submission, and approve it with the passphrase',
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).approveCommand,
  },
  reject: {
    group: 'live',
    usage: 'brokerage-mcp reject [INTENT] [--yes]',
    meaning: 'show a waiting order and reject it',
    flags: { yes: onOff('ask nothing') },
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).rejectCommand,
  },
  halt: {
    group: 'live',
    usage: 'brokerage-mcp halt [REASON]',
    meaning: 'stop new orders at once, in every process and environment of the store',
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).haltCommand,
  },
  resume: {
    group: 'live',
    usage: 'brokerage-mcp resume',
    meaning: 'lift a halt or lock, and close orders whose outcome stayed unknown',
    takesNoWords: true,
    document: 'docs/live-orders.md',
    load: async () => (await import('./commands.ts')).resumeCommand,
  },
};
