/** Stores downloaded reports in the state folder. They are account data, so only their owner can read them. */
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfRefused } from '../errors.ts';
import type { ExportFiles } from '../mcp/tool.ts';

const nameShape = /^report-(\d{1,19})\.csv$/;

export function createExportFiles(stateDir: string): ExportFiles {
  const folder = join(stateDir, 'exports');
  const getPath = (reportId: string) => {
    const name = `report-${reportId}.csv`;
    // An id consists of digits only, so it cannot contain a path.
    if (!nameShape.test(name)) throw new RangeError('not the id of a report');
    return join(folder, name);
  };
  return {
    save: async (reportId, pieces) => {
      const path = getPath(reportId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A file that was written in part must not replace a complete one.
      const part = `${path}.part`;
      await writeFile(part, pieces, { mode: 0o600 });
      await chmod(part, 0o600);
      await rename(part, path);
      return path;
    },
    read: async (reportId) => {
      if (!/^\d{1,19}$/.test(reportId)) return undefined;
      return readFile(getPath(reportId), 'utf8').catch(orIfRefused(undefined));
    },
    list: async () => {
      const names = await readdir(folder).catch(orIfRefused([]));
      return names.flatMap((name) => nameShape.exec(name)?.[1] ?? []);
    },
  };
}
