type Dialect = 'sqlite' | 'postgres';
/** One text for both engines, or one for each; undefined where an engine does not need the statement. */
type Statement = string | Readonly<Record<Dialect, string | undefined>>;

/** The statements of each version for one engine. */
export const migrationsFor = (dialect: Dialect): readonly (readonly string[])[] =>
  versions.map((statements) =>
    statements
      .map((statement) => (typeof statement === 'string' ? statement : statement[dialect]))
      .filter((sql) => sql !== undefined),
  );

/**
 * The tables as versions. A released version is never edited: a change is a new version at the end. Amounts and ids
 * are text; times are milliseconds since 1970 (UTC).
 */
const versions: readonly (readonly Statement[])[] = [
  [
    `CREATE TABLE records (
       space TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
       PRIMARY KEY (space, name))`,
    `CREATE TABLE intents (
       id TEXT NOT NULL PRIMARY KEY,
       account TEXT NOT NULL,
       environment TEXT NOT NULL,
       kind TEXT NOT NULL,
       state TEXT NOT NULL,
       ticker TEXT,
       fingerprint TEXT NOT NULL,
       repeat_of TEXT,
       order_id TEXT,
       handle TEXT,
       nonce TEXT,
       submission TEXT,
       leg INTEGER,
       created_at BIGINT NOT NULL,
       sent_at BIGINT,
       data TEXT NOT NULL)`,
    // At most one order request in flight per account and environment, and at most one repetition of an order. The
    // database enforces both, whatever a process assumes.
    `CREATE UNIQUE INDEX one_in_flight ON intents (account, environment) WHERE state = 'SENDING' AND kind = 'order'`,
    `CREATE UNIQUE INDEX one_repetition ON intents (repeat_of) WHERE repeat_of IS NOT NULL`,
    'CREATE UNIQUE INDEX intents_by_handle ON intents (handle) WHERE handle IS NOT NULL',
    'CREATE UNIQUE INDEX intents_by_nonce ON intents (nonce) WHERE nonce IS NOT NULL',
    'CREATE INDEX intents_by_order ON intents (account, order_id)',
    'CREATE INDEX intents_by_state ON intents (state, created_at)',
    'CREATE INDEX intents_by_account ON intents (account, state, created_at)',
    'CREATE INDEX intents_by_fingerprint ON intents (fingerprint, created_at)',
    `CREATE TABLE audit (
       seq BIGINT NOT NULL PRIMARY KEY,
       at BIGINT NOT NULL,
       environment TEXT NOT NULL,
       kind TEXT NOT NULL,
       data TEXT NOT NULL,
       previous TEXT NOT NULL,
       hash TEXT NOT NULL)`,
    'CREATE INDEX audit_by_time ON audit (at)',
    {
      sqlite: undefined,
      postgres: `CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$`,
    },
    ...(
      [
        ['changed', 'UPDATE'],
        ['deleted', 'DELETE'],
      ] as const
    ).map(([word, change]) => {
      const trigger = `CREATE TRIGGER audit_is_not_${word} BEFORE ${change} ON audit`;
      return {
        sqlite: `${trigger} BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END`,
        postgres: `${trigger} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()`,
      };
    }),
    {
      sqlite: undefined,
      postgres: `CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()`,
    },
    // Rows of the account's history; `source` is `pages` or the report that the row came from.
    `CREATE TABLE history (
       account TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, row_key TEXT NOT NULL,
       at BIGINT NOT NULL,
       ticker TEXT,
       type TEXT,
       is_final INTEGER NOT NULL,
       stretch BIGINT NOT NULL,
       data TEXT NOT NULL,
       PRIMARY KEY (account, kind, source, row_key))`,
    'CREATE INDEX history_by_time ON history (account, kind, source, at, row_key)',
    'CREATE INDEX history_by_stretch ON history (account, kind, stretch)',
    'CREATE INDEX history_open ON history (account, kind, at) WHERE is_final = 0',
    `CREATE TABLE snapshots (
       account TEXT NOT NULL, day TEXT NOT NULL, data TEXT NOT NULL,
       PRIMARY KEY (account, day))`,
    {
      // On one machine process ids show which processes are alive; several machines need a heartbeat.
      sqlite: undefined,
      postgres: 'CREATE TABLE processes (id TEXT NOT NULL PRIMARY KEY, beat_at BIGINT NOT NULL)',
    },
    // Drafts of orders. A version is never changed: an edit adds one.
    `CREATE TABLE drafts (
       id TEXT NOT NULL PRIMARY KEY,
       account TEXT NOT NULL,
       environment TEXT NOT NULL,
       name TEXT,
       version INTEGER NOT NULL,
       state TEXT NOT NULL,
       source TEXT NOT NULL,
       created_at BIGINT NOT NULL,
       expires_at BIGINT NOT NULL)`,
    'CREATE INDEX drafts_by_account ON drafts (account, environment, created_at)',
    `CREATE TABLE draft_versions (
       draft TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
       version INTEGER NOT NULL,
       created_at BIGINT NOT NULL,
       channel TEXT NOT NULL,
       edit TEXT,
       legs TEXT NOT NULL,
       PRIMARY KEY (draft, version))`,
    'CREATE INDEX draft_versions_by_time ON draft_versions (created_at)',
    // Attempts to send the legs of a version. At most one is open per account, and each can be repeated once.
    `CREATE TABLE submissions (
       id TEXT NOT NULL PRIMARY KEY,
       draft TEXT NOT NULL REFERENCES drafts (id),
       account TEXT NOT NULL,
       environment TEXT NOT NULL,
       state TEXT NOT NULL,
       repeat_of TEXT,
       handle TEXT,
       nonce TEXT,
       created_at BIGINT NOT NULL,
       data TEXT NOT NULL)`,
    `CREATE UNIQUE INDEX one_open_submission ON submissions (account, environment)
       WHERE state IN ('awaiting_approval', 'sending')`,
    'CREATE UNIQUE INDEX one_repeated_submission ON submissions (repeat_of) WHERE repeat_of IS NOT NULL',
    'CREATE INDEX submissions_by_draft ON submissions (draft, created_at)',
    `CREATE TABLE submission_legs (
       submission TEXT NOT NULL REFERENCES submissions (id),
       leg INTEGER NOT NULL,
       state TEXT NOT NULL,
       data TEXT NOT NULL,
       PRIMARY KEY (submission, leg))`,
    // A leg becomes an intent at most once for each submission.
    'CREATE UNIQUE INDEX one_intent_per_leg ON intents (submission, leg) WHERE submission IS NOT NULL',
    'CREATE UNIQUE INDEX submissions_by_handle ON submissions (handle) WHERE handle IS NOT NULL',
    'CREATE INDEX submissions_by_nonce ON submissions (nonce) WHERE nonce IS NOT NULL',
    // Clients that the owner admitted over the web. Of secrets and tokens only hashes are kept.
    `CREATE TABLE oauth_clients (
       id TEXT NOT NULL PRIMARY KEY,
       kind TEXT NOT NULL,
       name TEXT NOT NULL,
       secret TEXT,
       redirects TEXT NOT NULL,
       created_at BIGINT NOT NULL)`,
    `CREATE TABLE oauth_grants (
       id TEXT NOT NULL PRIMARY KEY,
       client TEXT NOT NULL,
       name TEXT NOT NULL,
       place TEXT NOT NULL,
       scope TEXT NOT NULL,
       resource TEXT NOT NULL,
       environment TEXT NOT NULL,
       created_at BIGINT NOT NULL,
       used_at BIGINT)`,
    `CREATE TABLE oauth_tokens (
       hash TEXT NOT NULL PRIMARY KEY,
       grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
       kind TEXT NOT NULL,
       scope TEXT NOT NULL,
       expires_at BIGINT NOT NULL,
       spent_at BIGINT,
       redirect TEXT,
       challenge TEXT)`,
    'CREATE INDEX oauth_grants_by_client ON oauth_grants (client)',
    'CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id)',
    'CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at)',
  ],
  [
    // What is watched, what was last seen of an account, the events found, and the attempts to deliver each.
    `CREATE TABLE watches (
       account TEXT NOT NULL, id TEXT NOT NULL, created_at BIGINT NOT NULL, data TEXT NOT NULL,
       PRIMARY KEY (account, id))`,
    'CREATE TABLE watch_sights (account TEXT NOT NULL PRIMARY KEY, data TEXT NOT NULL)',
    `CREATE TABLE watch_events (
       account TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
       happened_at BIGINT NOT NULL, found_at BIGINT NOT NULL, data TEXT NOT NULL,
       PRIMARY KEY (account, name))`,
    'CREATE INDEX watch_events_by_time ON watch_events (account, found_at)',
    `CREATE TABLE watch_deliveries (
       account TEXT NOT NULL, item TEXT NOT NULL, channel TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,
       claimed_at BIGINT NOT NULL, next_at BIGINT NOT NULL,
       PRIMARY KEY (account, item, channel))`,
    'CREATE INDEX watch_deliveries_by_time ON watch_deliveries (account, claimed_at)',
  ],
];

// What the tables of the store consist of, read from the migrations, so that a check needs no second list.

export interface Schema {
  /** The columns of each table. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** The names of indexes and triggers. */
  readonly others: readonly string[];
}

/** The schema that all migrations of an engine create. */
export function getSchema(dialect: Parameters<typeof migrationsFor>[0]): Schema {
  const tables = new Map<string, readonly string[]>();
  const others: string[] = [];
  for (const sql of migrationsFor(dialect).flat()) {
    const [, table, columns] = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(sql) ?? [];
    if (table !== undefined && columns !== undefined) tables.set(table, readColumns(columns));
    const [, name] = /^CREATE (?:UNIQUE )?(?:INDEX|TRIGGER) (\w+)/.exec(sql) ?? [];
    if (name !== undefined) others.push(name);
  }
  return { tables, others };
}

/** The names of the columns: the first name of each part outside of parentheses, without the primary key. */
function readColumns(text: string): string[] {
  const parts = text.replace(/\([^()]*\)/g, '').split(',');
  return parts.flatMap((part) => /^\s*(?!PRIMARY\b)(\w+)/.exec(part)?.[1] ?? []);
}
