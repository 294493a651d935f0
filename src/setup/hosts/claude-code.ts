import { folderFrom, getPathModule, type HostDefinition, inHome } from './host.ts';

export const claudeCode: HostDefinition = {
  id: 'claude-code',
  name: 'Claude Code',
  syntax: 'json',
  container: 'mcpServers',
  extra: { type: 'stdio' },
  // The user scope. With CLAUDE_CONFIG_DIR the file is inside that folder, which is observed and not documented. Claude
  // Code writes this file too, so it often changes between our read and our write.
  files: (place) => [
    place.env.CLAUDE_CONFIG_DIR
      ? getPathModule(place).join(folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude'), '.claude.json')
      : inHome(place, '.claude.json'),
  ],
  folders: (place) => [folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude')],
  afterwards: 'Start a new session; /mcp shows the server.',
};
