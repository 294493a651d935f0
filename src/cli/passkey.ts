import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import { maxAttempts, type Tty } from '../core/process/terminal.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import {
  type Adding,
  addPasskey,
  endAdding,
  numberOf,
  type Passkey,
  passkeyName,
  readAdding,
  readPasskeys,
  removePasskey,
  startAdding,
} from '../features/passkeys/kept-passkeys.ts';
import { verifyPassphrase } from './ask-passphrase.ts';
import { type Action, type Command, findAction } from './command.ts';
import { isJson, printJson, printTable } from './output.ts';
import { type CommandContext, requireOwnersTty, withNamedStore } from './with-app.ts';

/** Adds a passkey that approves on the public page, lists those that can, and removes one. */
export const passkeyCommand: Command = ({ words, flags }, terminal) =>
  withNamedStore(flags, terminal, async (parts) => {
    const [action = 'list', ...rest] = words;
    return await findAction<Action<CommandContext>>('passkey', passkeyActions, action)(parts, rest, flags, terminal);
  });

const list: Action<CommandContext> = async ({ journal }, _words, flags, terminal) => {
  const passkeys = await journal.read((tx) => readPasskeys(tx));
  const sayMoment = createSayMoment(terminal.zone(), systemClock);
  if (isJson(flags)) printJson(terminal, { passkeys: passkeys.map(toJson) });
  else if (passkeys.length === 0) terminal.print('No passkey can approve.');
  else
    printTable(
      terminal,
      ['passkey', 'page', 'added', 'last used'],
      passkeys.map(({ name, origin, createdAt, usedAt }) => [
        ...[name, origin, sayMoment(createdAt)],
        usedAt === undefined ? 'never' : sayMoment(usedAt),
      ]),
    );
  return 0;
};

const toJson = ({ name, origin, createdAt, usedAt }: Passkey) => ({
  ...{ name, origin },
  addedAt: new Date(createdAt).toISOString(),
  usedAt: usedAt === undefined ? null : new Date(usedAt).toISOString(),
});

const add: Action<CommandContext> = async (parts, words, _flags, terminal) => {
  const name = passkeyName(words.join(' '));
  if (name === undefined) throw new UsageError('passkey add needs a name for the device, such as: passkey add phone');
  const { approvalPage } = parts.config;
  if (!approvalPage)
    throw new UsageError('The approval page has no public address, and a passkey is bound to one', {
      next: 'set BROKER_APPROVAL_PUBLIC_URL and BROKER_APPROVAL_PORT (docs/web.md).',
    });
  const tty = requireOwnersTty(terminal, 'passkey add');
  try {
    return (await addAtTerminal(tty, parts, name, approvalPage.origin, createSayMoment(terminal.zone(), systemClock)))
      ? 0
      : 1;
  } finally {
    tty.close();
  }
};

/** Asks for the passphrase, shows the address, and adds what a device made there. Returns whether it was added. */
export async function addAtTerminal(
  tty: Tty,
  { journal, security, services }: Pick<CommandContext, 'journal' | 'security' | 'services'>,
  name: string,
  origin: string,
  sayMoment: Parameters<typeof verifyPassphrase>[3],
): Promise<boolean> {
  const say = (text: string) => {
    tty.say(text, 'bad');
    return false;
  };
  const enrolment = await security.enrolment();
  if (!enrolment) return say('No passphrase is enrolled; run brokerage-mcp enroll first.');
  if ((await journal.read((tx) => readPasskeys(tx))).some((passkey) => passkey.name === name))
    return say(`There is a passkey “${name}” already; choose another name, or remove it first.`);
  if (!(await verifyPassphrase(tty, journal, security, sayMoment))) return false;
  const { clock, drafts } = services;
  const started = await journal.change((tx) => startAdding(tx, name, origin, clock.now()));
  try {
    const address = await drafts.channels.pageUrl(started.handle);
    if (!address?.startsWith(`${origin}/`))
      return say(
        `The page is not served at ${origin}: another program has BROKER_APPROVAL_PORT, or a server without these settings serves the page. Stop it, then start again.`,
      );
    tty.say('Open this address on the device, within ten minutes, and add the passkey there:');
    tty.say(address);
    const made = await waitForMade(tty, { journal, clock }, started);
    if (!made) return say('Nothing was added.');
    if (!(await isNumberTyped(tty, numberOf(made)))) return say('The numbers differ, so nothing was added.');
    const passkey = { ...made, name, origin, createdAt: clock.now() };
    if (!(await journal.change((tx) => addPasskey(tx, passkey, enrolment.enrolledAt))))
      return say('The enrolment or the passkeys changed in the meantime, so nothing was added. Start again.');
    tty.say(`Added. “${name}” approves orders and drafts on ${origin}; the passphrase no longer does there.`, 'good');
    return true;
  } finally {
    await journal.change(endAdding);
  }
}

/** What a device made; undefined when the time is over, the user leaves, or another terminal started again. */
async function waitForMade(
  tty: Tty,
  { journal, clock }: Pick<CommandContext, 'journal'> & Pick<CommandContext['services'], 'clock'>,
  { handle, endsAt }: Adding,
): Promise<Adding['made']> {
  while (clock.now() < endsAt) {
    const adding = await journal.read(readAdding);
    if (adding?.handle !== handle) return undefined;
    if (adding.made) return adding.made;
    if (!(await tty.wait(pollMs))) return undefined;
  }
  return undefined;
}

const pollMs = 1_000;

async function isNumberTyped(tty: Tty, number: string): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const typed = await tty.promptOrCancel('A passkey was made. The number on the device: ', { echo: true });
    if (typed === undefined) return false;
    if (typed.replace(/\D/g, '') === number) return true;
    tty.say('This is another number. If the device shows none, another person opened the address.', 'bad');
  }
  return false;
}

const remove: Action<CommandContext> = async ({ journal }, words, flags, terminal) => {
  const name = words.join(' ');
  if (!(await journal.change((tx) => removePasskey(tx, name))))
    throw new UsageError(`There is no passkey ${JSON.stringify(name)}; brokerage-mcp passkey lists them.`);
  if (isJson(flags)) printJson(terminal, { removed: name });
  else terminal.print(`“${name}” approves nothing any more.`);
  return 0;
};

/** What the command can do with the passkeys. */
export const passkeyActions = { list, add, remove } as const satisfies Readonly<Record<string, Action<CommandContext>>>;
