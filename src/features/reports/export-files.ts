/** Stores downloaded reports in the state folder. They are account data, so only their owner can read them. */
import { chmod, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfRefused } from '../../core/errors.ts';

/** The downloaded reports in the state folder. */
export interface ExportFiles {
  /** Saves the pieces of the text of a report and returns the path of its file. */
  save(reportId: string, pieces: AsyncIterable<string>): Promise<string>;
  /**
   * Returns the rows from the byte `from` on, at most `most` bytes, and where the next ones begin. Undefined when the
   * report was not downloaded.
   */
  read(reportId: string, from: number, most: number): Promise<{ text: string; next: number | undefined } | undefined>;
  /** Returns the ids of the saved reports. */
  list(): Promise<readonly string[]>;
}

const nameShape = /^report-(\d{1,19})\.csv$/;

/** The end of the last complete row; without one, of the last complete character. */
function endOfRow(bytes: Buffer): number {
  const lineEnd = bytes.lastIndexOf(0x0a);
  if (lineEnd !== -1) return lineEnd + 1;
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return Math.max(1, end);
}

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
    read: async (reportId, from, most) => {
      if (!/^\d{1,19}$/.test(reportId)) return undefined;
      const file = await open(getPath(reportId)).catch(orIfRefused(undefined));
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, from);
        if (from + bytesRead >= size) return { text: buffer.toString('utf8', 0, bytesRead), next: undefined };
        const end = endOfRow(buffer);
        return { text: buffer.toString('utf8', 0, end), next: from + end };
      } finally {
        await file.close();
      }
    },
    list: async () => {
      const names = await readdir(folder).catch(orIfRefused([]));
      return names.flatMap((name) => nameShape.exec(name)?.[1] ?? []);
    },
  };
}
