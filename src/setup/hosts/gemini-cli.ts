import { folderFrom, getPathModule, type HostDefinition } from './host.ts';

export const geminiCli: HostDefinition = {
  id: 'gemini-cli',
  aliases: ['gemini'],
  name: 'Gemini CLI',
  syntax: 'json',
  takesComments: true,
  container: 'mcpServers',
  // GEMINI_CLI_HOME replaces the home folder, so .gemini is inside it too.
  files: (place) => [getPathModule(place).join(folderFrom(place, 'GEMINI_CLI_HOME'), '.gemini', 'settings.json')],
  afterwards: 'Start a new session; /mcp shows the server.',
};
