import { resolve } from 'node:path';
import { UsageError } from '../core/errors.ts';
import { type Environment, environments, readConfig } from '../core/settings/config.ts';
import { configDir } from '../core/settings/paths.ts';
import { withoutFiles } from '../core/settings/runtime-environment.ts';
import { didYouMean } from '../core/text/suggestions.ts';
import { storedKeys } from '../setup/hosts/config-file.ts';
import { formatSnippet } from '../setup/hosts/edit-config.ts';
import {
  buildEntry,
  type EntryOptions,
  type KeySources,
  passThroughFlags,
  resolveLaunchCommand,
} from '../setup/hosts/entry.ts';
import { getPlatform, type HostDefinition } from '../setup/hosts/host.ts';
import { findHosts, getHostPath, hosts } from '../setup/hosts/hosts.ts';
import { applyProfile } from '../setup/hosts/order-profile.ts';
import { describeIgnoredEnvironment, parseKeyPlaces, sandboxNeedsNothing } from '../setup/hosts/setup-options.ts';
import type { Command, FlagValues } from './command.ts';

/** Shows where the address goes when no base URL was given. */
const exampleUrl = (environment: string) => `https://${environment}.broker.example/api/v0`;

/** Prints the entry for a host's file and nothing else, so that the output can be piped. Reads no secret. */
export const printConfigCommand: Command = async ({ words, flags: typed }, terminal) => {
  if (words.length > 0)
    throw new UsageError(`print-config takes no arguments, but got "${words[0]}"; name the host with --client.`);
  const flags = applyProfile(typed);
  const host = oneHost(flags);
  const environment = environments.find((name) => name === (flags.env ?? 'sandbox'));
  if (!environment) throw new UsageError(`--env is "${flags.env}"; ${didYouMean(flags.env ?? '', environments)}.`);
  const account = resolveAccountOptions(host, environment, flags, configDir(terminal));
  // Validates the address as a start would, and prints it as it was typed.
  const { baseUrl } = account;
  const env = baseUrl === undefined ? {} : { [`BROKER_${environment.toUpperCase()}_BASE_URL`]: baseUrl };
  readConfig({ ...flags, env: environment }, { ...withoutFiles(terminal), env });
  const given = Object.fromEntries(
    Object.entries(flags).filter(([name]) => passThroughFlags.some((one) => one === name)),
  );
  if (given['state-dir'] !== undefined) given['state-dir'] = resolve(given['state-dir']);
  const choice: EntryOptions = { environment, ...account, flags: given };
  terminal.print(formatSnippet(host, buildEntry(choice, resolveLaunchCommand(terminal, flags))));
  terminal.warn(`Add this to ${getHostPath(host, getPlatform(terminal))}, beside the existing entries.`);
  const ignored = describeIgnoredEnvironment(flags, terminal.env);
  if (ignored !== undefined) terminal.warn(ignored);
  if (baseUrl === exampleUrl(environment)) terminal.warn('Replace the base URL with the address of your service.');
  if (choice.keys?.kind === 'files' && flags['key-file'] === undefined)
    terminal.warn(
      'Put the key and the secret into the two files, readable only by you (chmod 600). For a key without a secret, name only its file, with --key-file.',
    );
  return 0;
};

function oneHost(flags: FlagValues): HostDefinition {
  const all = hosts.map(({ id }) => id).join(', ');
  const [host, ...more] = flags.client === undefined ? [] : findHosts(flags.client, hosts);
  if (!host || more.length > 0) throw new UsageError(`print-config needs one --client of: ${all}.`);
  return host;
}

function resolveAccountOptions(
  host: HostDefinition,
  environment: Environment,
  flags: FlagValues,
  folder: string,
): { baseUrl?: string; keys?: KeySources } {
  const given = parseKeyPlaces(flags);
  if (environment === 'sandbox') {
    if (given || flags['base-url'] !== undefined) throw new UsageError(sandboxNeedsNothing);
    return {};
  }
  const keys = given ?? (host.hasInputs ? { kind: 'inputs' as const } : storedKeys(folder, environment));
  return { baseUrl: flags['base-url'] ?? exampleUrl(environment), keys };
}
