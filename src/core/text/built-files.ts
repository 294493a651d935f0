/** Reads files that the build writes beside the program (scripts/build.mjs): the tool list and the views. */
import { readFileSync } from 'node:fs';

/** The text of a built file. Throws when the program runs from source, where these files do not exist. */
export const readBuiltFile = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
