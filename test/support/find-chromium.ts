import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium without its windows needs a quarter of the processor time; both draw and run pages alike. */
const names = ['chromium-headless-shell', 'chromium'];

/** `CHROMIUM_PATH` names one that is elsewhere. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: chosen, PATH = '' } = process.env;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const folders = PATH.split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}
