/** What an existing entry restricts. A new run of init keeps it, so that no run widens what an assistant may do unasked. */
type Flags = Readonly<Record<string, string>>;

const restricting = ['read-only', 'toolsets', 'approval'] as const;

/** The flags that decide which tools a server has. */
export const toolFlags = ['read-only', 'toolsets'] as const;

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
export const nameFlags = (flags: Flags): string =>
  Object.keys(flags)
    .map((name) => `--${name}`)
    .join(', ');
