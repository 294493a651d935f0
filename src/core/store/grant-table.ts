/** Stores the clients that the owner admitted over the web, what each was granted, and the hashes of their tokens. */

import type { Statements } from './engine.ts';

/** A client that has an id of this server. Clients whose id is an address have no row. */
export interface ClientRow {
  readonly id: string;
  /** `added` by the owner, or `registered` by the client itself. */
  readonly kind: 'added' | 'registered';
  readonly name: string;
  /** The SHA-256 of its secret; undefined for a client that can keep none. */
  readonly secretHash: string | undefined;
  readonly redirects: readonly string[];
  readonly createdAt: number;
}

/** What the owner granted to a client on one visit. */
export interface GrantRow {
  readonly id: string;
  readonly clientId: string;
  /** The client’s own, as the owner saw it. */
  readonly name: string;
  /** Where the browser went after the login. */
  readonly place: string;
  readonly scope: string;
  /** The address that its tokens are for. */
  readonly resource: string;
  readonly environment: string;
  readonly createdAt: number;
  /** When a token was last used or issued; undefined until the first was issued. */
  readonly usedAt: number | undefined;
}

export interface TokenRow {
  /** The SHA-256 of the token. */
  readonly hash: string;
  readonly grantId: string;
  readonly kind: 'code' | 'access' | 'refresh';
  readonly scope: string;
  readonly expiresAt: number;
  /** When it was exchanged; a second exchange shows a theft. */
  readonly spentAt: number | undefined;
  /** What a code is bound to. */
  readonly redirect: string | undefined;
  readonly challenge: string | undefined;
}

interface ClientColumns extends Omit<ClientRow, 'secretHash' | 'redirects' | 'createdAt'> {
  readonly secret: string | null;
  readonly redirects: string;
  readonly created_at: number | string;
}

interface GrantColumns extends Omit<GrantRow, 'clientId' | 'createdAt' | 'usedAt'> {
  readonly client: string;
  readonly created_at: number | string;
  readonly used_at: number | string | null;
}

interface TokenColumns extends Omit<TokenRow, 'grantId' | 'expiresAt' | 'spentAt' | 'redirect' | 'challenge'> {
  readonly grant_id: string;
  readonly expires_at: number | string;
  readonly spent_at: number | string | null;
  readonly redirect: string | null;
  readonly challenge: string | null;
}

const clientColumns = 'id, kind, name, secret, redirects, created_at';
const grantColumns = 'id, client, name, place, scope, resource, environment, created_at, used_at';
const tokenColumns = 'hash, grant_id, kind, scope, expires_at, spent_at, redirect, challenge';

export type GrantView = ReturnType<typeof readGrants>;
export interface GrantChange extends ReturnType<typeof changeGrants> {
  /** Adds an entry to the audit trail. */
  note(environment: string, kind: string, data: object): Promise<void>;
}

/** The store as the login of clients uses it. Both functions are transactions, as those of the journal. */
export interface GrantStore {
  change<Result>(work: (tx: GrantChange) => Promise<Result>): Promise<Result>;
  read<Result>(work: (tx: GrantView) => Promise<Result>): Promise<Result>;
}

export const readGrants = (db: Statements) => ({
  findClient: async (id: string): Promise<ClientRow | undefined> => {
    const [row] = await db.all<ClientColumns>(`SELECT ${clientColumns} FROM oauth_clients WHERE id = ?`, id);
    return row && toClient(row);
  },
  /** Oldest first. */
  listClients: async (): Promise<readonly ClientRow[]> =>
    (await db.all<ClientColumns>(`SELECT ${clientColumns} FROM oauth_clients ORDER BY created_at, id`)).map(toClient),
  /** Clients that registered themselves and that the owner never admitted, oldest first. */
  listStrangers: async (): Promise<readonly Pick<ClientRow, 'id' | 'createdAt'>[]> => {
    const rows = await db.all<Pick<ClientColumns, 'id' | 'created_at'>>(
      `SELECT id, created_at FROM oauth_clients WHERE kind = 'registered'
         AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client = oauth_clients.id) ORDER BY created_at, id`,
    );
    return rows.map(({ id, created_at }) => ({ id, createdAt: Number(created_at) }));
  },
  findGrant: async (id: string): Promise<GrantRow | undefined> => {
    const [row] = await db.all<GrantColumns>(`SELECT ${grantColumns} FROM oauth_grants WHERE id = ?`, id);
    return row && toGrant(row);
  },
  /** Oldest first. */
  listGrants: async (): Promise<readonly GrantRow[]> =>
    (await db.all<GrantColumns>(`SELECT ${grantColumns} FROM oauth_grants ORDER BY created_at, id`)).map(toGrant),
  findToken: async (hash: string): Promise<TokenRow | undefined> => {
    const [row] = await db.all<TokenColumns>(`SELECT ${tokenColumns} FROM oauth_tokens WHERE hash = ?`, hash);
    return row && toToken(row);
  },
  countTokens: async (grantId: string, kind: TokenRow['kind']): Promise<number> => {
    const rows = await db.all('SELECT hash FROM oauth_tokens WHERE grant_id = ? AND kind = ?', grantId, kind);
    return rows.length;
  },
});

export const changeGrants = (db: Statements) => ({
  ...readGrants(db),
  insertClient: async ({ id, kind, name, secretHash, redirects, createdAt }: ClientRow): Promise<void> => {
    await db.run(
      `INSERT INTO oauth_clients (${clientColumns}) VALUES (?, ?, ?, ?, ?, ?)`,
      ...[id, kind, name, secretHash ?? null, JSON.stringify(redirects), createdAt],
    );
  },
  /** Returns the number of removed clients. */
  removeClient: (id: string): Promise<number> => db.run('DELETE FROM oauth_clients WHERE id = ?', id),
  insertGrant: async (grant: GrantRow): Promise<void> => {
    const { id, clientId, name, place, scope, resource, environment, createdAt, usedAt } = grant;
    await db.run(
      `INSERT INTO oauth_grants (${grantColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, clientId, name, place, scope, resource, environment, createdAt, usedAt ?? null],
    );
  },
  /** Notes the last use of a grant (ms). */
  touchGrant: async (id: string, usedAt: number): Promise<void> => {
    await db.run('UPDATE oauth_grants SET used_at = ? WHERE id = ?', usedAt, id);
  },
  /** Removes the grant and all its tokens. Returns the number of removed grants. */
  removeGrant: (id: string): Promise<number> => db.run('DELETE FROM oauth_grants WHERE id = ?', id),
  /** Removes what all clients were granted. Returns the number of removed grants. */
  removeGrants: (): Promise<number> => db.run('DELETE FROM oauth_grants'),
  insertToken: async (token: TokenRow): Promise<void> => {
    const { hash, grantId, kind, scope, expiresAt, spentAt, redirect, challenge } = token;
    await db.run(
      `INSERT INTO oauth_tokens (${tokenColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[hash, grantId, kind, scope, expiresAt, spentAt ?? null, redirect ?? null, challenge ?? null],
    );
  },
  spendToken: async (hash: string, spentAt: number): Promise<void> => {
    await db.run('UPDATE oauth_tokens SET spent_at = ? WHERE hash = ?', spentAt, hash);
  },
  /** Removes tokens that expired before a time (ms), and grants created before it that no token was issued for. */
  removeExpired: async (before: number): Promise<void> => {
    await db.run('DELETE FROM oauth_tokens WHERE expires_at < ?', before);
    await db.run(
      `DELETE FROM oauth_grants WHERE created_at < ?
         AND NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id)`,
      before,
    );
  },
});

const toTime = (at: number | string | null): number | undefined => (at === null ? undefined : Number(at));

const toClient = ({ secret, redirects, created_at, ...row }: ClientColumns): ClientRow => ({
  ...row,
  secretHash: secret ?? undefined,
  redirects: JSON.parse(redirects),
  createdAt: Number(created_at),
});

const toGrant = ({ client, created_at, used_at, ...row }: GrantColumns): GrantRow => ({
  ...row,
  clientId: client,
  createdAt: Number(created_at),
  usedAt: toTime(used_at),
});

const toToken = ({ grant_id, expires_at, spent_at, redirect, challenge, ...row }: TokenColumns): TokenRow => ({
  ...row,
  grantId: grant_id,
  expiresAt: Number(expires_at),
  spentAt: toTime(spent_at),
  redirect: redirect ?? undefined,
  challenge: challenge ?? undefined,
});
