/** Whether the assistant may place orders, or drafts them for a person to send. A choice of toolsets. */
import type { Toolset } from '../config.ts';
import { UsageError } from '../errors.ts';
import type { Tty } from '../process/terminal.ts';

type Flags = Readonly<Record<string, string>>;

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

/** Asks for the profile unless the flags choose the tools. Undefined when the user leaves. */
export async function promptProfile(tty: Tty, flags: Flags): Promise<Flags | undefined> {
  const isChosen = [flag, 'toolsets', 'read-only'].some((name) => flags[name] !== undefined);
  if (isChosen) return applyProfile(flags);
  tty.say('Orders: place (the assistant can send orders), draft (it only drafts them, and you send them).');
  for (;;) {
    const word = await tty.promptOrCancel('May the assistant place orders, or only draft them? [place]: ', {
      echo: true,
    });
    if (word === undefined) return undefined;
    const choice = word.trim() || 'place';
    if (choice === 'place') return flags;
    if (choice === 'draft') return applyProfile({ ...flags, [flag]: 'true' });
    tty.say('Please type place or draft.');
  }
}
