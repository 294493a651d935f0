import { folderFrom, getPathModule, type HostDefinition, inHome } from './host.ts';

export const claudeCode: HostDefinition = {
  id: 'claude-code',
  name: 'Claude Code',
  syntax: 'json',
  container: 'mcpServers',
  extra: { type: 'stdio' },
  // The user's own scope. With CLAUDE_CONFIG_DIR the file is inside that folder; that it is, is not documented but seen.
  // The program writes this file too, so a change between reading and writing is no rare thing here.
  files: (place) => [
    place.env.CLAUDE_CONFIG_DIR
      ? getPathModule(place).join(folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude'), '.claude.json')
      : inHome(place, '.claude.json'),
  ],
  folders: (place) => [folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude')],
  afterwards: 'Start a new session; /mcp shows the server.',
};
