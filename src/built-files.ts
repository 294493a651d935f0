/** Files that the build writes beside the program (scripts/build.mjs): the listing of the tools, and the views. */
import { readFileSync } from 'node:fs';

/** Its text. There are none where this runs from source. */
export const readBuiltFile = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
