/** What was given for the settings, and where: errors name the place. */
import { UsageError } from '../errors.ts';
import type { SettingName } from './setting-definitions.ts';

interface Value {
  readonly text: string;
  readonly from: string;
  readonly isFromFile?: true;
}

export type Values = Partial<Record<SettingName, Value>>;

/**
 * Whether a variable says anything. A host passes a field that was left empty on as nothing at all, or as the
 * placeholder of its form that it had nothing for; neither is a value.
 */
export const isSet = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !/^\$\{user_config\.\w+\}$/.test(text);

export function readFlag(values: Values, name: SettingName): boolean {
  const value = values[name];
  if (!value) return false;
  const word = value.text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw new UsageError(`${value.from} is "${value.text}"`, { next: 'it must be true or false.' });
}
