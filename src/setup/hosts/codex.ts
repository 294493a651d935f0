import { folderFrom, getPathModule, type HostDefinition } from './host.ts';

export const codex: HostDefinition = {
  id: 'codex',
  name: 'Codex',
  syntax: 'toml',
  container: 'mcp_servers',
  // Without `required`, a session starts before the server is ready, and its first turn has no tools.
  switches: { required: true },
  // The same path below the home folder on every platform. A server receives only a few variables of the shell; `env`
  // names the others.
  files: (place) => [getPathModule(place).join(folderFrom(place, 'CODEX_HOME', '.codex'), 'config.toml')],
  afterwards: 'Start a new session; /mcp shows the server.',
};
