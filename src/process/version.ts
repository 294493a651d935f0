import packageFile from '../../package.json' with { type: 'json' };

/** The version of this program. */
export const version: string = packageFile.version;

/** The Node versions that the program supports, as in package.json. */
export const requiredNodeVersion: string = packageFile.engines.node;
