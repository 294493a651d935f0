import { readFileSync } from 'node:fs';
import packageFile from '../../../package.json' with { type: 'json' };

/** The version of this program. */
export const version: string = packageFile.version;

/** The Node versions that the program supports, as in package.json. */
export const requiredNodeVersion: string = packageFile.engines.node;

/**
 * Whether the package can be installed by its name. While `package.json` says `private`, the name in the npm
 * registry is free, so no entry of a host may start the program by it: another person could register it and run code
 * beside the keys.
 */
export const isPublished: boolean = !('private' in packageFile && packageFile.private);

// Reads files that the build writes beside the program (scripts/build.mjs): the tool list and the views.

/** The text of a built file. Throws when the program runs from source, where these files do not exist. */
export const readBuiltFile = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
