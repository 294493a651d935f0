/** Opens the SQLite store in a server's state folder, beside the server. */
import { systemClock } from '../../src/core/clock.ts';
import { openStore } from '../../src/core/store/open-store.ts';

export const openStateStore = (stateDir: string) =>
  openStore({ place: { stateDir }, realClock: systemClock, random: Math.random, self: 'test', merge: {} });
