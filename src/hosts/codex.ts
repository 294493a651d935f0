import { folderFrom, getPathModule, type HostDefinition } from './host.ts';

export const codex: HostDefinition = {
  id: 'codex',
  name: 'Codex',
  syntax: 'toml',
  container: 'mcp_servers',
  // Without it a session begins before the server has started, and its first turn has no tools.
  switches: { required: true },
  // The same below the home folder on every platform. Only a few variables of the shell reach a server: env names the rest.
  files: (place) => [getPathModule(place).join(folderFrom(place, 'CODEX_HOME', '.codex'), 'config.toml')],
  afterwards: 'Start a new session; /mcp shows the server.',
};
