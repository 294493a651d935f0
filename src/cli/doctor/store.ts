import { randomUUID } from 'node:crypto';
import { placeName, storeFile } from '../../store/place.ts';
import { type Finding, fault, ok } from './finding.ts';
import type { Scene } from './scene.ts';

/** Whether the store can be written so that it lasts, and read: with a record that is removed again. */
export async function checkStore(scene: Scene): Promise<readonly Finding[]> {
  const { journal } = scene.parts();
  const name = `doctor ${randomUUID()}`;
  try {
    await journal.change((tx) => tx.set(name, 'written'));
    const read = await journal.read((tx) => tx.get(name));
    await journal.change((tx) => tx.set(name, undefined));
    if (read !== 'written') return [fault('The store does not give back what was written.', mendFor('damaged', scene))];
  } catch (error) {
    const { message } = error as Error;
    const why = message.replace(/[^.]$/, '$&.');
    return [fault(`${why} Orders are refused, and nothing is shared between servers.`, mendFor(message, scene))];
  }
  return [ok(`Written, read and removed a record in ${placeName(scene.place)}.`)];
}

const mendFor = (message: string, scene: Scene): string =>
  'stateUrl' in scene.place ? mendForShared(message, placeName(scene.place)) : mendForFolder(message, scene);

/** By the reason that the store gives (store/postgres/trouble.ts). */
function mendForShared(message: string, name: string): string {
  const mends: readonly (readonly [RegExp, string])[] = [
    [
      /nothing answers|no socket|not answer|not known|looked up|cannot be reached|shut down/,
      `Start PostgreSQL, or correct its host and port in BROKER_STATE_URL; try: psql '${name}' -c 'select 1'`,
    ],
    [/password|not let this user in/, 'Correct the user and the password in BROKER_STATE_URL (or in its file).'],
    [
      /does not exist/,
      `Make the database: createdb '${new URL(name).pathname.slice(1)}' on that server, or name another one in BROKER_STATE_URL.`,
    ],
    [
      /may not create/,
      'As an administrator of the database: GRANT CREATE ON DATABASE … TO the user of BROKER_STATE_URL.',
    ],
    [/standby/, 'Name the primary server in BROKER_STATE_URL.'],
    [/fsync/, 'As an administrator: ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();'],
    [/certificate/, 'Add the authority of its certificate: sslrootcert=FILE in BROKER_STATE_URL.'],
    [/newer version/, 'Update brokerage-mcp on this machine; no older one can use this store.'],
  ];
  return (
    mends.find(([pattern]) => pattern.test(message))?.[1] ?? `Look at the log of the PostgreSQL server of ${name}.`
  );
}

/** By the reason that the store gives (store/sqlite/engine.ts). */
function mendForFolder(message: string, { stateDir, terminal }: Scene): string {
  const file = storeFile(stateDir);
  const mends: readonly (readonly [RegExp, string])[] = [
    [/disk is full/, `Free some space on its disk: df -h '${stateDir}'`],
    [/holds it for too long/, `Find the program that holds it and end it: fuser -v '${file}'`],
    [
      /newer version/,
      'Update brokerage-mcp, and the host’s configuration if it names another copy; no older one can read this store.',
    ],
    [
      /damaged|no database/,
      `Look into the broker’s application for orders that are still open, end every server, then move it away: mv '${file}' '${file}.damaged' && rm -f '${file}-wal' '${file}-shm' (the history is read anew; live needs enroll again).`,
    ],
    [
      /ENOTDIR|EEXIST|EISDIR|ENOENT/,
      `Name another folder with BROKER_STATE_DIR: in the way to ${file} something is of another kind.`,
    ],
    [/sqlite is|SQLite/, 'Mend what "program" tells about SQLite.'],
    [
      /may not be written|folder cannot be used|cannot be opened/,
      `Make the folder yours: sudo chown -R ${terminal.machine.uid ?? 'YOU'} '${stateDir}' && chmod -R u+rwX '${stateDir}', or name another one with BROKER_STATE_DIR.`,
    ],
  ];
  return (
    mends.find(([pattern]) => pattern.test(message))?.[1] ??
    `Look at the disk of ${stateDir}, or name another folder with BROKER_STATE_DIR.`
  );
}
