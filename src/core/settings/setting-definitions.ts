/** Every setting, defined once: the flags, the variables, config.json and the table in docs/settings.md are derived from it. */
export interface Setting {
  readonly flag?: string;
  readonly variable: `BROKER_${string}`;
  /** A switch can be given without a value on the command line. */
  readonly kind: 'text' | 'switch';
  readonly description: string;
}

/** All settings by name; the name is the key in config.json. */
export const settings = {
  environment: {
    flag: 'env',
    variable: 'BROKER_ENV',
    kind: 'text',
    description: '`sandbox` (default, simulated), `demo` (paper money) or `live` (real money)',
  },
  demoBaseUrl: {
    variable: 'BROKER_DEMO_BASE_URL',
    kind: 'text',
    description: 'address of the demo service, with or without `/api/v0`',
  },
  liveBaseUrl: {
    variable: 'BROKER_LIVE_BASE_URL',
    kind: 'text',
    description: 'address of the live service, with or without `/api/v0`',
  },
  apiKey: { variable: 'BROKER_API_KEY', kind: 'text', description: 'the API key of the chosen environment' },
  apiKeyFile: {
    variable: 'BROKER_API_KEY_FILE',
    kind: 'text',
    description: 'a file with the key that only its owner may read',
  },
  apiKeyCommand: {
    variable: 'BROKER_API_KEY_COMMAND',
    kind: 'text',
    description:
      'a program that prints the key, run without a shell or terminal when a call first needs it: a command with arguments, or a JSON list of strings',
  },
  apiSecret: {
    variable: 'BROKER_API_SECRET',
    kind: 'text',
    description: 'the secret of that key; omit it for a key that has none, which is then sent alone',
  },
  apiSecretFile: {
    variable: 'BROKER_API_SECRET_FILE',
    kind: 'text',
    description: 'a file with the secret that only its owner may read',
  },
  apiSecretCommand: {
    variable: 'BROKER_API_SECRET_COMMAND',
    kind: 'text',
    description: 'a program that prints the secret, specified in the same way',
  },
  accounts: {
    variable: 'BROKER_ACCOUNTS',
    kind: 'text',
    description:
      'comma list of the accounts that one server serves, such as `invest,isa`; in `config.json` a list of `name`, `kind` and the key of each ([several accounts](accounts.md))',
  },
  account: {
    flag: 'account',
    variable: 'BROKER_ACCOUNT',
    kind: 'text',
    description: 'one of these accounts: the server or command then uses it alone',
  },
  isaAllowance: {
    variable: 'BROKER_ISA_ALLOWANCE',
    kind: 'text',
    description: 'what may be paid into ISAs in a tax year, account currency; subscriptions are compared with it',
  },
  readOnly: {
    flag: 'read-only',
    variable: 'BROKER_READ_ONLY',
    kind: 'switch',
    description: 'registers only the tools that change nothing',
  },
  toolsets: {
    flag: 'toolsets',
    variable: 'BROKER_TOOLSETS',
    kind: 'text',
    description:
      'comma list of account, instruments, orders, drafting, trading, history, exports, analytics, status, pies; default all',
  },
  stateDir: {
    flag: 'state-dir',
    variable: 'BROKER_STATE_DIR',
    kind: 'text',
    description: 'folder for the program’s data; default: `brokerage-mcp` in the platform’s state folder',
  },
  stateUrl: {
    variable: 'BROKER_STATE_URL',
    kind: 'text',
    description:
      '`postgres://user:password@host/database`: stores the shared state in PostgreSQL, for several machines; the sandbox remains in the state folder',
  },
  stateUrlFile: {
    variable: 'BROKER_STATE_URL_FILE',
    kind: 'text',
    description: 'a file with that address that only its owner may read',
  },
  configDir: {
    variable: 'BROKER_CONFIG_DIR',
    kind: 'text',
    description: 'folder of `config.json`; default: `brokerage-mcp` in the platform’s configuration folder',
  },
  liveTrading: {
    variable: 'BROKER_LIVE_TRADING',
    kind: 'switch',
    description: 'the second switch for live orders, `true` or `false` (default)',
  },
  approval: {
    flag: 'approval',
    variable: 'BROKER_APPROVAL',
    kind: 'text',
    description:
      'how a human approves orders: `page`, `terminal`, `elicitation` or `none`; default `none` in sandbox and demo; in live `enroll` sets it, and this setting can only make it stricter',
  },
  approvalPublicUrl: {
    variable: 'BROKER_APPROVAL_PUBLIC_URL',
    kind: 'text',
    description:
      '`https://HOST`: the public address of the approval page, to approve from a phone; needs `BROKER_APPROVAL_PORT`',
  },
  approvalPort: {
    variable: 'BROKER_APPROVAL_PORT',
    kind: 'text',
    description: 'the port on 127.0.0.1 to which a proxy passes on what is for that address; without it any free port',
  },
  taxZone: {
    variable: 'BROKER_TAX_ZONE',
    kind: 'text',
    description:
      'the time zone of tax days, such as `Europe/Berlin`; default `Europe/London` for accounts in GBP, else that of the machine',
  },
  notifyCommand: {
    variable: 'BROKER_NOTIFY_COMMAND',
    kind: 'text',
    description:
      'a program that receives each notification, run without a shell: a command with arguments, or a JSON list of strings',
  },
  notifyUrl: {
    variable: 'BROKER_NOTIFY_URL',
    kind: 'text',
    description: '`https://…`: an address that receives each notification',
  },
  notifyUrlFile: {
    variable: 'BROKER_NOTIFY_URL_FILE',
    kind: 'text',
    description: 'a file with that address that only its owner may read',
  },
  notifyStyle: {
    variable: 'BROKER_NOTIFY_STYLE',
    kind: 'text',
    description: 'what that address receives: `ntfy`, `slack` or `json` (default)',
  },
  notifyMailServer: {
    variable: 'BROKER_NOTIFY_MAIL_SERVER',
    kind: 'text',
    description: 'the SMTP server that sends notifications as mail',
  },
  notifyMailPort: {
    variable: 'BROKER_NOTIFY_MAIL_PORT',
    kind: 'text',
    description: 'its port; default 465, or 587 with `starttls`',
  },
  notifyMailTls: {
    variable: 'BROKER_NOTIFY_MAIL_TLS',
    kind: 'text',
    description:
      'how mail is encrypted: `tls` (default), `starttls` (default for another port than 465), or `none` for a server on this machine',
  },
  notifyMailUser: {
    variable: 'BROKER_NOTIFY_MAIL_USER',
    kind: 'text',
    description: 'the user name at that server; omit it where no login is needed',
  },
  notifyMailPassword: { variable: 'BROKER_NOTIFY_MAIL_PASSWORD', kind: 'text', description: 'the password there' },
  notifyMailPasswordFile: {
    variable: 'BROKER_NOTIFY_MAIL_PASSWORD_FILE',
    kind: 'text',
    description: 'a file with that password that only its owner may read',
  },
  notifyMailFrom: {
    variable: 'BROKER_NOTIFY_MAIL_FROM',
    kind: 'text',
    description: 'the address that the mail comes from',
  },
  notifyMailTo: {
    variable: 'BROKER_NOTIFY_MAIL_TO',
    kind: 'text',
    description: 'comma list of the addresses that receive it, at most 5',
  },
  notifyDetail: {
    variable: 'BROKER_NOTIFY_DETAIL',
    kind: 'text',
    description: 'what a notification says: `short` (default, no amount, ticker or name) or `full`',
  },
  quietHours: {
    variable: 'BROKER_QUIET_HOURS',
    kind: 'text',
    description:
      '`22:00-07:00`: when only a halt or a rejected order is reported at once, in the time zone of tax days; default never',
  },
  digestAt: {
    variable: 'BROKER_DIGEST_AT',
    kind: 'text',
    description: '`08:00`: when a summary of the day before is sent, in the time zone of tax days; default never',
  },
  log: {
    variable: 'BROKER_LOG',
    kind: 'text',
    description:
      'what is written to standard error: `error` (default: faults of the program), `warn`, `info` or `debug` (each request, state of an order and lease; never a body or a secret)',
  },
  http: {
    flag: 'http',
    variable: 'BROKER_HTTP',
    kind: 'text',
    description:
      '`HOST:PORT`: serve MCP over Streamable HTTP at this address instead of standard input and output; port 0 selects a free port',
  },
  httpToken: {
    variable: 'BROKER_HTTP_TOKEN',
    kind: 'text',
    description: 'the token that clients send over HTTP, at least 32 characters (`openssl rand -hex 32` creates one)',
  },
  httpTokenFile: {
    variable: 'BROKER_HTTP_TOKEN_FILE',
    kind: 'text',
    description: 'a file with that token that only its owner may read',
  },
  httpHosts: {
    variable: 'BROKER_HTTP_HOSTS',
    kind: 'text',
    description:
      'comma list of the other names that clients use for the HTTP server, each with its port unless it is the default port, such as `broker.example.com, localhost:8080`',
  },
  watch: {
    variable: 'BROKER_WATCH',
    kind: 'switch',
    description: 'the HTTP server also watches the account and sends notifications, as `brokerage-mcp watch` does',
  },
  httpPublicUrl: {
    variable: 'BROKER_HTTP_PUBLIC_URL',
    kind: 'text',
    description:
      '`https://HOST`: the public address of the HTTP server; switches on OAuth, by which web assistants connect after a login with the passphrase',
  },
  maxOrderValue: {
    variable: 'BROKER_MAX_ORDER_VALUE',
    kind: 'text',
    description: 'largest value of an order, account currency; default 10000, live 1000',
  },
  maxDayValue: {
    variable: 'BROKER_MAX_DAY_VALUE',
    kind: 'text',
    description: 'largest value in 24 hours, sent and unknown, account currency; default 100000, live 5000',
  },
  maxOrderQuantity: {
    variable: 'BROKER_MAX_ORDER_QUANTITY',
    kind: 'text',
    description: 'most shares in an order; default 10000, live 1000',
  },
  tickers: {
    variable: 'BROKER_TICKERS',
    kind: 'text',
    description: 'comma list of the tickers that can be traded; default all',
  },
  instrumentTypes: {
    variable: 'BROKER_INSTRUMENT_TYPES',
    kind: 'text',
    description: 'comma list of the instrument types that can be traded; default STOCK, ETF',
  },
  ordersPerMinute: {
    variable: 'BROKER_ORDERS_PER_MINUTE',
    kind: 'text',
    description: 'most orders in a minute; default 30, live 5',
  },
  ordersPerHour: {
    variable: 'BROKER_ORDERS_PER_HOUR',
    kind: 'text',
    description: 'most orders in an hour; default 300, live 20',
  },
  ordersPerDay: {
    variable: 'BROKER_ORDERS_PER_DAY',
    kind: 'text',
    description: 'most orders in 24 hours; default 1000, live 50',
  },
  maxPendingPerTicker: {
    variable: 'BROKER_MAX_PENDING_PER_TICKER',
    kind: 'text',
    description: 'most pending orders on one ticker; default 50, live 10',
  },
  maxPriceDistance: {
    variable: 'BROKER_MAX_PRICE_DISTANCE',
    kind: 'text',
    description: 'largest distance of a limit or stop price from the last known price, in percent; default 20, live 10',
  },
  haltOnForeignOrders: {
    variable: 'BROKER_HALT_ON_FOREIGN_ORDERS',
    kind: 'switch',
    description: 'live: whether an order placed by another program halts trading, `true` (default) or `false`',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const findSetting = (name: SettingName): Setting => settings[name];
