import { type HostDefinition, inHome } from './host.ts';

export const windsurf: HostDefinition = {
  id: 'windsurf',
  name: 'Windsurf',
  syntax: 'json',
  container: 'mcpServers',
  // The same path below the home folder on every platform; no variable that changes it is documented.
  files: (place) => [inHome(place, '.codeium', 'windsurf', 'mcp_config.json')],
  afterwards: 'Refresh the MCP servers in Cascade.',
};
