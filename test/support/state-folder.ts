/** Where the servers of tests keep their state. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const makeStateFolder = (prefix: string): Promise<string> => mkdtemp(join(tmpdir(), prefix));
