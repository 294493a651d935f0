import { systemClock } from '../core/clock.ts';
import { UsageError } from '../core/errors.ts';
import type { ClientRow, GrantRow } from '../core/store/grant-table.ts';
import { createSayMoment } from '../core/text/format-moment.ts';
import { endGrant } from '../features/oauth/grants.ts';
import { clientName, createClient, readRedirects } from '../features/oauth/web-client.ts';
import { type Action, type Command, findAction } from './command.ts';
import { isJson, printJson, printTable } from './output.ts';
import { type CommandContext, withApp } from './with-app.ts';

/**
 * Lists the clients of the web and what each may do, adds a client, and ends what one may do. None of it needs the
 * passphrase: a client that is added here still needs a login with it.
 */
export const clientsCommand: Command = ({ words, flags }, terminal) =>
  withApp(flags, terminal, async (parts) => {
    const [action = 'list', ...rest] = words;
    return await findAction<Action<CommandContext>>('clients', clientActions, action)(parts, rest, flags, terminal);
  });

const list: Action<CommandContext> = async ({ grants }, _words, flags, terminal) => {
  const { connected, added } = await grants.read(async (tx) => ({
    // A grant without a use is a login whose client did not take its code.
    connected: (await tx.listGrants()).filter(({ usedAt }) => usedAt !== undefined),
    added: (await tx.listClients()).filter(({ kind }) => kind === 'added'),
  }));
  if (isJson(flags)) {
    printJson(terminal, { connected: connected.map(grantToJson), added: added.map(clientToJson) });
    return 0;
  }
  const sayMoment = createSayMoment(terminal.zone(), systemClock);
  if (connected.length === 0) terminal.print('No client is connected over the web.');
  else
    printTable(
      terminal,
      ['id', 'client', 'goes to', 'may', 'environment', 'connected', 'last used'],
      connected.map(({ id, name, place, scope, environment, createdAt, usedAt }) => [
        ...[id, `“${name}”`, place, scope, environment],
        ...[createdAt, usedAt ?? createdAt].map((at) => sayMoment(at)),
      ]),
    );
  if (added.length === 0) return 0;
  terminal.print('');
  printTable(
    terminal,
    ['added client', 'id', 'addresses'],
    added.map(({ name, id, redirects }) => [`“${name}”`, id, redirects.join(' ')]),
  );
  return 0;
};

const grantToJson = ({ id, clientId, name, place, scope, environment, createdAt, usedAt }: GrantRow) => ({
  ...{ id, clientId, name, place, scope, environment },
  connectedAt: new Date(createdAt).toISOString(),
  usedAt: new Date(usedAt ?? createdAt).toISOString(),
});

const clientToJson = ({ id, name, redirects, createdAt }: ClientRow) => ({
  ...{ id, name, redirects },
  addedAt: new Date(createdAt).toISOString(),
});

const add: Action<CommandContext> = async ({ grants }, [typed, ...more], flags, terminal) => {
  const redirects = readRedirects((flags.redirect ?? '').split(',').map((one) => one.trim()));
  if (typed === undefined || more.length > 0 || !redirects)
    throw new UsageError(
      'clients add needs a name, and --redirect with the address that the client shows, such as https://claude.ai/api/mcp/auth_callback.',
    );
  const { row, secret } = createClient('added', clientName(typed), redirects, systemClock.now());
  await grants.change(async (tx) => {
    await tx.insertClient(row);
    await tx.note('all', 'client_added', { clientId: row.id, name: row.name });
  });
  if (isJson(flags)) printJson(terminal, { clientId: row.id, clientSecret: secret });
  else {
    terminal.print(`Client id:     ${row.id}`);
    terminal.print(`Client secret: ${secret}`);
    terminal.warn('Type both into the client now: the secret is shown once, and the store has only a hash of it.');
  }
  return 0;
};

const revoke: Action<CommandContext> = async ({ grants }, [id, ...more], flags, terminal) => {
  const isAll = flags.all === 'true';
  if ((id === undefined) !== isAll || more.length > 0)
    throw new UsageError('clients revoke needs the id of one client, or --all; brokerage-mcp clients lists them.');
  const ended = await grants.change(async (tx) => {
    const its = (await tx.listGrants()).filter((grant) => isAll || grant.id === id || grant.clientId === id);
    for (const grant of its) await endGrant(tx, grant, 'revoked_by_owner');
    return isAll ? undefined : its.length + (await tx.removeClient(id as string));
  });
  if (ended === 0) throw new UsageError(`There is no client ${JSON.stringify(id)}; brokerage-mcp clients lists them.`);
  if (isJson(flags)) printJson(terminal, { revoked: id ?? 'all' });
  else
    terminal.print(`${isAll ? 'All clients are' : 'The client is'} disconnected. What was open ends within seconds.`);
  return 0;
};

/** What the command can do with the clients. */
export const clientActions = { list, add, revoke } as const satisfies Readonly<Record<string, Action<CommandContext>>>;
