/** A database for each state folder, copied from one that a server has warmed up. */
import { randomBytes } from 'node:crypto';
import { administer } from '../../test/support/postgres.ts';

export function createDatabases(server: string) {
  const prefix = `c${randomBytes(4).toString('hex')}`;
  const names = new Map<string, string>();
  const nameOf = (stateDir: string): string => {
    const name = names.get(stateDir) ?? `${prefix}_${names.size}`;
    names.set(stateDir, name);
    return name;
  };
  return {
    url: (stateDir: string): string => {
      const url = new URL(server);
      url.pathname = `/${nameOf(stateDir)}`;
      return url.href;
    },
    create: (stateDir: string) => administer(server, `CREATE DATABASE ${nameOf(stateDir)}`),
    copy: (from: string, to: string) =>
      administer(server, `CREATE DATABASE ${nameOf(to)} TEMPLATE ${nameOf(from)} STRATEGY file_copy`),
    drop: async () => {
      for (const name of names.values()) await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
