import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createMarketFiles } from '../../app/owner-files.ts';
import { createTaxRecords } from '../../app/tax-records.ts';
import { serviceName } from '../../core/broker/service-url.ts';
import { BrokerageError, orIfRefused, UsageError } from '../../core/errors.ts';
import { requiredNodeVersion, version } from '../../core/process/version.ts';
import { variableOf } from '../../core/settings/accounts.ts';
import type { Config } from '../../core/settings/config.ts';
import { loadSettings } from '../../core/settings/load-settings.ts';
import type { Values } from '../../core/settings/runtime-environment.ts';
import type { SecretSetting } from '../../core/settings/secrets.ts';
import { findSetting, type SettingName } from '../../core/settings/setting-definitions.ts';
import { describeBinding } from '../../core/store/sqlite/binding.ts';
import { type DoctorContext, type Finding, fault, note, ofEachAccount, ok, warning } from './context.ts';
import { withoutEnvironment } from './known-secrets.ts';

/**
 * Reports the version of the program, and checks that a usable SQLite is installed. That this code runs proves
 * that the program loads.
 */
export async function checkProgram({ terminal }: DoctorContext): Promise<readonly Finding[]> {
  const { from, version: sqlite, why } = await describeBinding();
  const [file = 'unknown'] = terminal.self.args;
  return [
    ok(`brokerage-mcp ${version}, ${resolve(file)}, loads correctly.`),
    sqlite
      ? ok(`SQLite ${sqlite} from ${from}.`)
      : fault(
          `No usable SQLite was found (${why}): orders are refused, and nothing is stored.`,
          'Install it with its optional package: npm install @photostructure/sqlite in the folder of the program (in a checkout: npm ci --include=optional).',
        ),
  ];
}

/** Checks whether the program supports this version of Node. */
export async function checkNode({ terminal }: DoctorContext): Promise<readonly Finding[]> {
  const { node, arch } = terminal.machine;
  const needed = requiredNodeVersion.replace('>=', '');
  const here = `Node ${node}, ${terminal.platform} ${arch}`;
  const opened = revealingOptions(terminal.env.NODE_OPTIONS);
  const shown = opened.map((option) =>
    warning(
      `NODE_OPTIONS has ${option}, which shows keys and passphrases to other programs of this user or writes them to files.`,
      'Unset NODE_OPTIONS wherever you start the server and its commands.',
    ),
  );
  if (isAtLeast(node, needed)) return shown.length > 0 ? shown : [ok(`${here}; ${needed} or newer is needed.`)];
  return [
    ...shown,
    fault(
      `${here} is too old: ${needed} or newer is needed.`,
      'Install a newer Node, and give your host its path as "command".',
    ),
  ];
}

/** Options that open the inspector, or that write memory or the environment to a file; without their values. */
const revealingOptions = (options = ''): readonly string[] => [
  ...new Set(options.match(/--(inspect(-brk|-wait)?(?![\w-])|report-[\w-]+|heapsnapshot-[\w-]+|heap-prof)/g) ?? []),
];

function isAtLeast(version: string, least: string): boolean {
  const [here, there] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (const [index, wanted] of (there ?? []).entries()) {
    const part = here?.[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Checks the settings: what is set, which source won, and whether a server would start with them. */
export async function checkConfiguration(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> {
  const { terminal, flags, config, trouble } = context;
  if (!config) return [unusable(trouble ?? new UsageError('The configuration cannot be used.'), context)];

  const values = loadSettings(flags, terminal);
  const { environment } = config;
  const found: Finding[] = [
    ...config.warnings.map((text) =>
      warning(text, 'Rename the variable, or remove it if it belongs to another program.'),
    ),
    ...overruled(values, loadSettings({}, terminal), loadSettings({}, withoutEnvironment(terminal))),
    ...twice(values),
    ...(await checkOwnerFiles(config)),
  ];
  if (environment !== 'sandbox') {
    found.push(...(await checkKeys(context, signal)));
    if (terminal.env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
      found.push(
        fault(
          'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks, so others on the network can read the key.',
          'Remove that variable; for a company’s own certificate set NODE_EXTRA_CA_CERTS to its file instead.',
        ),
      );
  }
  const [demo, live] = [toServiceName(values.demoBaseUrl?.text), toServiceName(values.liveBaseUrl?.text)];
  if (demo !== undefined && demo === live)
    found.push(
      fault(
        'The demo and the live base URL are the same: demo orders would be real orders, under the rules for paper money.',
        'Correct BROKER_DEMO_BASE_URL.',
      ),
    );
  return [...found, ok(summary(context, values, environment))];
}

/** Whether each account has an address and a key. */
const checkKeys = ofEachAccount(async ({ config, terminal, flags }) => {
  if (!config) return [];
  const { environment, baseUrl, credentials, account } = config;
  const own = account?.isOneOfSeveral ? account.name : undefined;
  const nameOf = (setting: SecretSetting) =>
    own === undefined ? findSetting(setting).variable : variableOf(setting, own);
  const missing = [
    ...(baseUrl ? [] : [`BROKER_${environment.toUpperCase()}_BASE_URL`]),
    ...(credentials ? [] : [nameOf('apiKeyFile'), `${nameOf('apiSecretFile')} (if the key has a secret)`]),
  ];
  const none = fault(
    `The ${environment} environment has no ${baseUrl ? 'key' : 'base URL'}: tools are listed, but every call fails.`,
    `Set ${missing.join(', ')}.`,
  );
  return [
    ...(missing.length > 0 ? [none] : []),
    ...withoutSecret(credentials, own === undefined ? loadSettings(flags, terminal) : {}),
  ];
});

/** The owner's files: the tools that read one fail while it cannot be used. */
async function checkOwnerFiles({ configDir, environment }: Config): Promise<Finding[]> {
  const market = createMarketFiles(configDir);
  const files: readonly (readonly [read: () => Promise<unknown>, tools: string])[] = [
    [
      createTaxRecords(configDir, { environment, readAccountId: async () => undefined }),
      'summarize_realised_gains and tax-pack',
    ],
    [market.benchmark, 'calculate_returns'],
    [async () => market.funds(await listFundFiles(configDir)), 'analyze_portfolio by company, country or sector'],
  ];
  const found = await Promise.all(
    files.map(async ([read, tools]): Promise<Finding[]> => {
      try {
        await read();
        return [];
      } catch (error) {
        if (!(error instanceof BrokerageError)) throw error;
        return [fault(error.message, `Correct the file: until then ${tools} cannot be used.`)];
      }
    }),
  );
  return found.flat();
}

/** The ISINs of the files in the folder `funds`. */
const listFundFiles = async (configDir: string): Promise<readonly string[]> =>
  (await readdir(join(configDir, 'funds')).catch(orIfRefused([]))).map((name) => name.replace(/\.csv$/, ''));

/** A key without a secret is rare and could be a forgotten secret, so it is reported. */
function withoutSecret(credentials: Config['credentials'], values: Values): Finding[] {
  if (!credentials || credentials.secret !== undefined) return [];
  const found = [ok('The key has no secret: it is sent alone, as the value of the Authorization header.')];
  const other = [values.apiSecret, values.apiSecretFile, values.apiSecretCommand].find((value) => value?.text);
  return other
    ? [
        ...found,
        note(
          `${other.from} is ignored: the key comes from a variable, and the secret in config.json belongs to the key in that file.`,
          'If they belong together, set BROKER_API_SECRET_FILE beside the key.',
        ),
      ]
    : found;
}

function unusable({ problem, facts: { next, code } }: UsageError, { terminal, configFile }: DoctorContext): Finding {
  const says = next === undefined ? problem : `${problem}.`;
  const fix = (next ?? 'Correct it.').replace(/^./, (letter) => letter.toUpperCase()).replace(/[^.)]$/, '$&.');
  const line = code === 'not_json' ? brokenLine(terminal.readFile(configFile)) : undefined;
  const where = line === undefined ? '' : ` The error is in line ${line}.`;
  return fault(`${says} A server cannot start with this configuration.`, `${fix}${where}`);
}

/** Returns only the line number, because the engine's own message quotes the file. */
function brokenLine(text: string | undefined): number | undefined {
  try {
    JSON.parse(text ?? '');
    return undefined;
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    return at === undefined ? undefined : (text ?? '').slice(0, Number(at)).split('\n').length;
  }
}

/** Precedence is flag, variable, file: reports a lower source that sets a different value. */
function overruled(values: Values, withoutFlags: Values, file: Values): Finding[] {
  return names(values).flatMap((name) => {
    const won = values[name];
    const lost = [withoutFlags[name], file[name]].find((other) => other && other.text !== won?.text);
    if (!won || !lost) return [];
    return [
      note(`${name} is set twice: ${won.from} overrides ${lost.from}.`, `If this is intended, remove ${lost.from}.`),
    ];
  });
}

function twice(values: Values): Finding[] {
  const pairs = [
    ['apiKey', 'apiKeyFile'],
    ['apiSecret', 'apiSecretFile'],
  ] as const;
  return pairs.flatMap(([plain, file]) => {
    const [text, path] = [values[plain], values[file]];
    if (!text || !path) return [];
    return [warning(`${text.from} and ${path.from} are both set, so the file is ignored.`, `Remove ${text.from}.`)];
  });
}

/** Addresses and secrets are never shown. */
const shown: readonly SettingName[] = [
  'environment',
  'readOnly',
  'toolsets',
  'stateDir',
  'configDir',
  'liveTrading',
  'approval',
  'log',
  'notifyStyle',
  'notifyDetail',
  'quietHours',
  'digestAt',
];

function summary({ terminal, configFile }: DoctorContext, values: Values, environment: string): string {
  const set = names(values).map((name) => {
    const value = values[name];
    const text = shown.includes(name) ? ` ${value?.text}` : '';
    return `${name}${text} (${value?.isFromFile ? 'config.json' : value?.from})`;
  });
  const where =
    terminal.readFile(configFile) === undefined ? `${configFile} does not exist.` : `The file is ${configFile}.`;
  return `The environment is ${environment}. ${where} ${set.length > 0 ? `Set: ${set.join(', ')}.` : 'Nothing is set.'}`;
}

const names = (values: Values) => Object.keys(values) as SettingName[];

const toServiceName = (text: string | undefined) => (text === undefined ? undefined : serviceName(text));
