/** Whether the assistant may place orders, or drafts them for a person to send. A choice of toolsets. */

import { UsageError } from '../../core/errors.ts';
import type { Tty } from '../../core/process/terminal.ts';
import type { Toolset } from '../../core/settings/config.ts';

/** The toolsets of a server that plans and drafts, and has no tool that sends an order. */
const draftOnlyToolsets: readonly Toolset[] = [
  'account',
  'instruments',
  'orders',
  'drafting',
  'history',
  'analytics',
  'status',
];

/** The flag of the commands that write or print an entry. It is no setting: the entry names the toolsets. */
const flag = 'draft-only';

/** Replaces --draft-only by its toolsets. Throws a UsageError when the flags also name toolsets. */
export function applyProfile({ [flag]: isDraftOnly, ...others }: Flags): Flags {
  if (isDraftOnly !== 'true') return others;
  if (others.toolsets !== undefined)
    throw new UsageError('--draft-only chooses the toolsets itself; give it or --toolsets, not both.');
  return { ...others, toolsets: draftOnlyToolsets.join(',') };
}

/** Whether the flags are those of the draft-only profile. */
export const isDraftOnly = ({ toolsets }: Flags): boolean => toolsets === draftOnlyToolsets.join(',');

/** The flags of a profile, and the names of those that it decides: no earlier entry keeps them. */
export interface Profile {
  readonly flags: Flags;
  readonly chosen: readonly string[];
}

/** The profile of the flags alone. */
export function profileFromFlags(given: Flags): Profile {
  const flags = applyProfile(given);
  return { flags, chosen: Object.keys(flags) };
}

/**
 * Asks for the profile unless the flags choose the tools. `existing` are the restricting flags of the entries that are
 * there: Enter keeps them. Undefined when the user leaves.
 */
export async function promptProfile(tty: Tty, flags: Flags, existing: Flags): Promise<Profile | undefined> {
  const isChosen = [flag, ...toolFlags].some((name) => flags[name] !== undefined);
  if (isChosen) return profileFromFlags(flags);
  const isRestricted = toolFlags.some((name) => existing[name] !== undefined);
  const preset = isRestricted ? 'keep' : 'place';
  tty.say('Orders: place (the assistant can send orders), draft (it only drafts them, and you send them).');
  if (isRestricted) tty.say(`The existing entry has ${nameFlags(existing)}: keep changes none of them.`);
  for (;;) {
    const word = await tty.promptOrCancel(`May the assistant place orders, or only draft them? [${preset}]: `, {
      echo: true,
    });
    if (word === undefined) return undefined;
    const choice = word.trim() || preset;
    if (choice === 'place') return { flags, chosen: [...Object.keys(flags), ...toolFlags] };
    if (choice === 'draft') return profileFromFlags({ ...flags, [flag]: 'true' });
    if (choice === 'keep' && isRestricted) return profileFromFlags(flags);
    tty.say(isRestricted ? 'Please type keep, place or draft.' : 'Please type place or draft.');
  }
}

/** What an existing entry restricts. A new run of init keeps it, so that no run widens what an assistant may do unasked. */
type Flags = Readonly<Record<string, string>>;

const restricting = ['read-only', 'toolsets', 'approval'] as const;

/** The flags that decide which tools a server has. */
const toolFlags = ['read-only', 'toolsets'] as const;

/** Returns the restricting flags of an entry, by name; none for an entry that has none or is not readable. */
export function readRestrictions(entry: unknown): Flags {
  if (typeof entry !== 'object' || entry === null || !('args' in entry) || !Array.isArray(entry.args)) return {};
  const args: readonly unknown[] = entry.args;
  const found = restricting.flatMap((name) => {
    const value = args.map((arg, index) => readValue(name, arg, args[index + 1])).findLast((one) => one !== undefined);
    return value === undefined || value === '' || value === 'false' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The value that an argument gives to the flag; undefined for another argument. */
function readValue(name: (typeof restricting)[number], arg: unknown, following: unknown): string | undefined {
  if (typeof arg !== 'string') return undefined;
  if (arg.startsWith(`--${name}=`)) return arg.slice(name.length + 3);
  if (arg !== `--${name}`) return undefined;
  if (name === 'read-only') return 'true';
  return typeof following === 'string' && !following.startsWith('--') ? following : undefined;
}

/** One sentence on the flags that stay, and how to change them. */
export const explainKept = (kept: Flags): string =>
  `Stays from the entry before: ${nameFlags(kept)}; to change it, give the flag again (--read-only=false, or --toolsets with other names).`;

/** The names alone: a person can have put anything into the values. */
const nameFlags = (flags: Flags): string =>
  Object.keys(flags)
    .map((name) => `--${name}`)
    .join(', ');
