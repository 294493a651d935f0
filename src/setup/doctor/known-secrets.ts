/**
 * Collects every value that must not be shown: from variables, from config.json, and from the files that these name.
 */

import type { ProcessContext } from '../../core/process/process-context.ts';
import { readAccounts } from '../../core/settings/accounts.ts';
import { loadSettings } from '../../core/settings/load-settings.ts';
import type { Values } from '../../core/settings/runtime-environment.ts';
import { parseUrl } from '../../core/text/parse-url.ts';
import { sanitizeText } from '../../core/text/sanitize-text.ts';

/** Minimum length: shorter values are not secrets, and hiding them would cut into ordinary text. */
const shortest = 6;
const maxLineLength = 1_000;

/** Returns all known secrets, for `createRedactor`. */
export function listSecrets(flags: Readonly<Record<string, string>>, terminal: ProcessContext): readonly string[] {
  const { env, readFile } = terminal;
  // Includes misspelt variables and those of later versions.
  const ofVariables = Object.entries(env)
    .filter(([name]) => /^BROKER_.*(KEY|SECRET|TOKEN|PASS)/i.test(name) && !name.endsWith('_FILE'))
    .map(([, value]) => value);
  const levels = [
    ...listLevels(() => loadSettings(flags, terminal), terminal),
    ...listLevels(() => loadSettings({}, withoutEnvironment(terminal)), terminal),
  ];
  const ofSettings = levels.flatMap((values) => [
    values?.apiKey?.text,
    values?.apiSecret?.text,
    values?.notifyUrl?.text,
    values?.notifyMailPassword?.text,
    ...[values?.apiKeyFile, values?.apiSecretFile, values?.notifyUrlFile, values?.notifyMailPasswordFile].map((file) =>
      file === undefined ? undefined : readFile(file.text),
    ),
  ]);
  const ofStores = levels.flatMap((values) => [
    values?.stateUrl?.text,
    values?.stateUrlFile && readFile(values.stateUrlFile.text)?.trim(),
  ]);
  const ofOthers = Object.entries(env).flatMap(([name, value]) => (name.startsWith('BROKER_') ? [value] : []));
  const passwords = [...ofStores, ...ofOthers].flatMap((value) =>
    value === undefined ? [] : [parseUrl(value)?.password],
  );
  const found = [...ofVariables, ...ofSettings, ...passwords].map((text) => text?.trim() ?? '');
  // Longest first, because one value can be part of another.
  return [...new Set(found)].filter((text) => text.length >= shortest).sort((a, b) => b.length - a.length);
}

/** Returns the key files that are configured, even for another environment; none when config.json is invalid. */
export function listKeyFiles(flags: Readonly<Record<string, string>>, terminal: ProcessContext): readonly string[] {
  const files = listLevels(() => loadSettings(flags, terminal), terminal).flatMap((values) =>
    [
      values?.apiKeyFile,
      values?.apiSecretFile,
      values?.stateUrlFile,
      values?.notifyUrlFile,
      values?.notifyMailPasswordFile,
    ].flatMap((value) => (value ? [value.text] : [])),
  );
  return [...new Set(files)];
}

/** Returns a process context with only the variables that locate config.json. */
export const withoutEnvironment = (terminal: ProcessContext): ProcessContext => ({
  ...terminal,
  env: Object.fromEntries(
    Object.entries(terminal.env).filter(([name]) => !name.startsWith('BROKER_') || name === 'BROKER_CONFIG_DIR'),
  ),
});

/** Returns a function that replaces secrets in a text and removes characters that a terminal does not show as text. */
export const createRedactor =
  (secrets: readonly string[]) =>
  (text: string): string => {
    const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text);
    return sanitizeText(hidden, maxLineLength) ?? '';
  };

/** The settings, and those of each account. */
function listLevels(load: () => Values, terminal: ProcessContext): readonly (Values | undefined)[] {
  const values = safely(load);
  const accounts = values && safely(() => readAccounts(values, terminal).map((one) => one.values));
  return [values, ...(accounts ?? [])];
}

function safely<Found>(work: () => Found): Found | undefined {
  try {
    return work();
  } catch {
    // The check of the configuration reports an invalid setting.
    return undefined;
  }
}
