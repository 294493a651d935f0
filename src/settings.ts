/** Every setting, said once: the flags, the variables, config.json and the README's table follow from it. */
export interface Setting {
  readonly flag?: string;
  readonly variable: `BROKER_${string}`;
  /** A switch needs no value on the command line. */
  readonly kind: 'text' | 'switch';
  readonly meaning: string;
}

export const settings = {
  environment: {
    flag: 'env',
    variable: 'BROKER_ENV',
    kind: 'text',
    meaning: '`sandbox` (default, simulated), `demo` (paper money) or `live` (real money)',
  },
  demoBaseUrl: {
    variable: 'BROKER_DEMO_BASE_URL',
    kind: 'text',
    meaning: 'address of the demo service, with or without `/api/v0`',
  },
  liveBaseUrl: {
    variable: 'BROKER_LIVE_BASE_URL',
    kind: 'text',
    meaning: 'address of the live service, with or without `/api/v0`',
  },
  apiKey: { variable: 'BROKER_API_KEY', kind: 'text', meaning: 'the API key of the chosen environment' },
  apiKeyFile: {
    variable: 'BROKER_API_KEY_FILE',
    kind: 'text',
    meaning: 'a file with the key that only its owner may read',
  },
  apiSecret: { variable: 'BROKER_API_SECRET', kind: 'text', meaning: 'the secret of that key' },
  apiSecretFile: {
    variable: 'BROKER_API_SECRET_FILE',
    kind: 'text',
    meaning: 'a file with the secret that only its owner may read',
  },
  readOnly: {
    flag: 'read-only',
    variable: 'BROKER_READ_ONLY',
    kind: 'switch',
    meaning: 'registers only the tools that change nothing',
  },
  toolsets: {
    flag: 'toolsets',
    variable: 'BROKER_TOOLSETS',
    kind: 'text',
    meaning:
      'comma list of account, instruments, orders, trading, history, exports, analytics, status, pies; default all',
  },
  stateDir: {
    flag: 'state-dir',
    variable: 'BROKER_STATE_DIR',
    kind: 'text',
    meaning: 'folder for what the program keeps; default: `brokerage-mcp` in the platform’s state folder',
  },
  configDir: {
    variable: 'BROKER_CONFIG_DIR',
    kind: 'text',
    meaning: 'folder of `config.json`; default: `brokerage-mcp` in the platform’s configuration folder',
  },
  liveTrading: {
    variable: 'BROKER_LIVE_TRADING',
    kind: 'switch',
    meaning: 'the second switch for live orders, `true` or `false` (default)',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const findSetting = (name: SettingName): Setting => settings[name];
