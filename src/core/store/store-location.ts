/** The location of the store: the database of a state folder, or a PostgreSQL that several machines share. */

import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { BrokerageError } from '../errors.ts';

/** The state folder, or the URL of the shared PostgreSQL database. */
export type StoreLocation = { readonly stateDir: string } | { readonly stateUrl: string };

/**
 * The location that the configuration names. The sandbox always uses the state folder, because its account exists
 * on this machine only.
 */
export const resolveStoreLocation = (config: {
  readonly environment: string;
  readonly stateDir: string;
  readonly stateUrl: string | undefined;
}): StoreLocation =>
  config.stateUrl !== undefined && config.environment !== 'sandbox'
    ? { stateUrl: config.stateUrl }
    : { stateDir: config.stateDir };

/** The path of the database in a state folder. */
export const storeFile = (stateDir: string): string => join(stateDir, 'store.sqlite');

/** The location as text, without the password. */
export function describeLocation(place: StoreLocation): string {
  if ('stateDir' in place) return storeFile(place.stateDir);
  const { protocol, host, pathname } = new URL(place.stateUrl);
  return `${protocol}//${host}${pathname}`;
}

// What is known of a store outside of it: its id, and a record of its audit trail, in a small file of the configuration
// folder. A store that vanished, was emptied or is an older copy cannot say so itself.

/** A record that the store with this id has. */
interface StoreMark {
  readonly id: string;
  /** The number of the record in the audit trail, and its hash. */
  readonly seq: number;
  readonly hash: string;
}

/** It implements the port of the order manager (core/orders/intent/journal-port.ts) by structure. */
interface StoreWitness {
  /** What was last seen at this location; undefined when nothing was. */
  read(): StoreMark | undefined;
  /** What was last seen of the store with this id, at any location. */
  readAnywhere(id: string): readonly StoreMark[];
  /** Replaces the file in one step. Throws `store_unavailable` when the folder cannot be written. */
  write(mark: StoreMark): void;
}

/** Creates the witness of the store at a location. */
export function createStoreWitness(configDir: string, place: StoreLocation): StoreWitness {
  const folder = join(configDir, 'stores');
  const location = describeLocation(place);
  const file = `${createHash('sha256').update(location).digest('hex').slice(0, 16)}.json`;
  return {
    read: () => readMark(join(folder, file)),
    readAnywhere: (id) =>
      listFiles(folder).flatMap((name) => {
        const mark = readMark(join(folder, name));
        return mark?.id === id ? mark : [];
      }),
    write: ({ id, seq, hash }) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const written = join(folder, `.${file}.${randomBytes(6).toString('hex')}`);
        writeDurably(written, `${JSON.stringify({ location, id, seq, hash })}\n`);
        renameSync(written, join(folder, file));
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
        throw new BrokerageError(
          'store_unavailable',
          `${folder} cannot be written (${code}), so a store that vanishes is not noticed.`,
          'Correct the permissions of the folder, or choose another one with BROKER_CONFIG_DIR.',
        );
      }
    },
  };
}

function writeDurably(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readMark(path: string): StoreMark | undefined {
  try {
    const { id, seq, hash } = JSON.parse(readFileSync(path, 'utf8')) as Partial<StoreMark>;
    return typeof id === 'string' && typeof seq === 'number' && typeof hash === 'string'
      ? { id, seq, hash }
      : undefined;
  } catch {
    // Without a readable file nothing is known, as before the first order.
    return undefined;
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
  } catch {
    // There is no folder before the first order.
    return [];
  }
}
