import packageFile from '../../package.json' with { type: 'json' };

export const version: string = packageFile.version;

/** What Node the program needs, as in package.json. */
export const requiredNodeVersion: string = packageFile.engines.node;
