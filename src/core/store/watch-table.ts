/**
 * Stores what is watched, what was last seen, the events and their deliveries, for each account. It implements the port
 * of the watches (features/watches/watch-store.ts) by structure.
 */

import type { Engine, Statements } from './engine.ts';

export interface WatchRow {
  readonly id: string;
  readonly createdAt: number;
}

export interface EventRow {
  readonly event: { readonly key: string; readonly kind: string; readonly at: number; readonly facts: object };
  readonly foundAt: number;
}

export interface DeliveryRow {
  readonly item: string;
  readonly channel: string;
  readonly state: string;
  readonly tries: number;
  readonly claimedAt: number;
  readonly nextAt: number;
}

interface EventColumns {
  readonly name: string;
  readonly kind: string;
  readonly happened_at: number | string;
  readonly found_at: number | string;
  readonly data: string;
}

interface DeliveryColumns extends Omit<DeliveryRow, 'claimedAt' | 'nextAt'> {
  readonly claimed_at: number | string;
  readonly next_at: number | string;
}

const eventColumns = 'name, kind, happened_at, found_at, data';
const deliveryColumns = 'item, channel, state, tries, claimed_at, next_at';

const readWatches = <Watch extends WatchRow, Sight, Event extends EventRow, Delivery extends DeliveryRow>(
  db: Statements,
) => ({
  /** Oldest first. */
  listWatches: async (account: string): Promise<readonly Watch[]> => {
    const rows = await db.all<{ data: string }>(
      'SELECT data FROM watches WHERE account = ? ORDER BY created_at, id',
      account,
    );
    return rows.map(({ data }) => JSON.parse(data) as Watch);
  },
  findSight: async (account: string): Promise<Sight | undefined> => {
    const [row] = await db.all<{ data: string }>('SELECT data FROM watch_sights WHERE account = ?', account);
    return row && (JSON.parse(row.data) as Sight);
  },
  /** Newest first. */
  listEvents: async (
    account: string,
    { foundSince, most }: { readonly foundSince: number; readonly most: number },
  ): Promise<readonly Event[]> => {
    const rows = await db.all<EventColumns>(
      `SELECT ${eventColumns} FROM watch_events WHERE account = ? AND found_at >= ?
       ORDER BY found_at DESC, happened_at DESC, name LIMIT ?`,
      account,
      foundSince,
      most,
    );
    return rows.map(({ name, kind, happened_at, found_at, data }) => {
      const event = { key: name, kind, at: Number(happened_at), facts: JSON.parse(data) };
      return { event, foundAt: Number(found_at) } as unknown as Event;
    });
  },
  listDeliveries: async (account: string, since: number): Promise<readonly Delivery[]> => {
    const rows = await db.all<DeliveryColumns>(
      `SELECT ${deliveryColumns} FROM watch_deliveries WHERE account = ? AND claimed_at >= ?
       ORDER BY claimed_at, item, channel`,
      account,
      since,
    );
    return rows.map((row) => toDelivery<Delivery>(row));
  },
  findDelivery: async (account: string, item: string, channel: string): Promise<Delivery | undefined> => {
    const [row] = await db.all<DeliveryColumns>(
      `SELECT ${deliveryColumns} FROM watch_deliveries WHERE account = ? AND item = ? AND channel = ?`,
      account,
      item,
      channel,
    );
    return row && toDelivery<Delivery>(row);
  },
});

const changeWatches = <Watch extends WatchRow, Sight, Event extends EventRow, Delivery extends DeliveryRow>(
  db: Statements,
) => ({
  ...readWatches<Watch, Sight, Event, Delivery>(db),
  insertWatch: async (account: string, watch: Watch): Promise<void> => {
    await db.run(
      'INSERT INTO watches (account, id, created_at, data) VALUES (?, ?, ?, ?)',
      account,
      watch.id,
      watch.createdAt,
      JSON.stringify(watch),
    );
  },
  removeWatch: async (account: string, id: string): Promise<void> => {
    await db.run('DELETE FROM watches WHERE account = ? AND id = ?', account, id);
  },
  keepSight: async (account: string, sight: Sight): Promise<void> => {
    await db.run(
      `INSERT INTO watch_sights (account, data) VALUES (?, ?)
       ON CONFLICT (account) DO UPDATE SET data = excluded.data`,
      account,
      JSON.stringify(sight),
    );
  },
  /** False when there is an event with this key, which stays as it is. */
  insertEvent: async (account: string, { event, foundAt }: Event): Promise<boolean> => {
    const inserted = await db.run(
      `INSERT INTO watch_events (account, ${eventColumns}) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, name) DO NOTHING`,
      account,
      event.key,
      event.kind,
      event.at,
      foundAt,
      JSON.stringify(event.facts),
    );
    return inserted === 1;
  },
  keepDelivery: async (account: string, delivery: Delivery): Promise<void> => {
    const { item, channel, state, tries, claimedAt, nextAt } = delivery;
    await db.run(
      `INSERT INTO watch_deliveries (account, ${deliveryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, item, channel) DO UPDATE SET state = excluded.state, tries = excluded.tries,
         claimed_at = excluded.claimed_at, next_at = excluded.next_at`,
      ...[account, item, channel, state, tries, claimedAt, nextAt],
    );
  },
  /** Removes events that were found, and attempts that began, before a time (ms). What only notes a beginning stays. */
  removeOld: async (account: string, before: number): Promise<void> => {
    await db.run('DELETE FROM watch_events WHERE account = ? AND found_at < ?', account, before);
    await db.run(
      `DELETE FROM watch_deliveries WHERE account = ? AND claimed_at < ? AND state <> 'begun'`,
      account,
      before,
    );
  },
});

/** Moves the watches of an account to the account that it turned out to be. What was seen is seen again there. */
export async function joinWatches(db: Statements, from: string, to: string): Promise<void> {
  await db.run(
    `UPDATE watches SET account = ? WHERE account = ?
       AND NOT EXISTS (SELECT 1 FROM watches w WHERE w.account = ? AND w.id = watches.id)`,
    to,
    from,
    to,
  );
}

const toDelivery = <Delivery>({ claimed_at, next_at, ...row }: DeliveryColumns): Delivery =>
  ({ ...row, tries: Number(row.tries), claimedAt: Number(claimed_at), nextAt: Number(next_at) }) as unknown as Delivery;

/** The watches of all processes. Both functions are transactions, and throw `store_unavailable`. */
export const createWatchTable = <Watch extends WatchRow, Sight, Event extends EventRow, Delivery extends DeliveryRow>(
  engine: Engine,
) => ({
  change: <Result>(
    work: (tx: ReturnType<typeof changeWatches<Watch, Sight, Event, Delivery>>) => Promise<Result>,
  ): Promise<Result> => engine.write((db) => work(changeWatches(db))),
  read: <Result>(
    work: (tx: ReturnType<typeof readWatches<Watch, Sight, Event, Delivery>>) => Promise<Result>,
  ): Promise<Result> => engine.read((db) => work(readWatches(db))),
});
