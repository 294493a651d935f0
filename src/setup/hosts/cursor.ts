import { type HostDefinition, inHome } from './host.ts';

export const cursor: HostDefinition = {
  id: 'cursor',
  name: 'Cursor',
  syntax: 'json',
  container: 'mcpServers',
  // The same path below the home folder on every platform; no variable that changes it is documented.
  files: (place) => [inHome(place, '.cursor', 'mcp.json')],
  afterwards: 'Switch the server on in Cursor’s settings, below MCP.',
};
