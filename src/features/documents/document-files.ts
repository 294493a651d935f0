/** Keeps written files in the state folder. They are account data, so only their owner can read them. */
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface DocumentFile {
  readonly name: string;
  readonly text: string;
}

export interface SavedFile {
  readonly name: string;
  readonly path: string;
  /** A file: URI. */
  readonly uri: string;
}

export interface DocumentFiles {
  /** Writes the files into a folder of this name, in place of earlier ones. */
  save(folder: string, files: readonly DocumentFile[]): Promise<readonly SavedFile[]>;
}

/** Names of this program alone: nothing that a service or a caller wrote becomes a path. */
const nameShape = /^[a-z0-9][a-z0-9-]*(\.[a-z]+)?$/;

export function createDocumentFiles(stateDir: string): DocumentFiles {
  return {
    save: async (folder, files) => {
      const wrong = [folder, ...files.map(({ name }) => name)].find((name) => !nameShape.test(name));
      if (wrong !== undefined) throw new RangeError(`not the name of a file: ${wrong}`);
      const place = join(stateDir, 'documents', folder);
      await mkdir(place, { recursive: true, mode: 0o700 });
      const saved: SavedFile[] = [];
      for (const { name, text } of files) {
        const path = join(place, name);
        // A file that was written in part must not replace a complete one.
        await writeFile(`${path}.part`, text, { mode: 0o600 });
        await chmod(`${path}.part`, 0o600);
        await rename(`${path}.part`, path);
        saved.push({ name, path, uri: pathToFileURL(path).href });
      }
      return saved;
    },
  };
}
