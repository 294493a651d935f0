import { randomUUID } from 'node:crypto';
import { storeFile } from '../../store/store-file.ts';
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
  return [ok(`Written, read and removed a record in ${storeFile(scene.stateDir)}.`)];
}

/** By the reason that the store gives (store/sqlite/engine.ts). */
function mendFor(message: string, { stateDir, terminal }: Scene): string {
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
