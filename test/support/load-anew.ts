/** Loads a module of the program as a process that starts does: what it computes while it loads is computed again. */
import { pathToFileURL } from 'node:url';

let loads = 0;

/** `path` is below the folder of this repository. The modules that it imports are those that are loaded already. */
export const loadAnew = async <Module>(path: string): Promise<Module> =>
  (await import(`${pathToFileURL(path).href}?load=${++loads}`)) as Module;
