import { getPathModule, type HostDefinition, settingsFolder } from './host.ts';

export const vscode: HostDefinition = {
  id: 'vscode',
  name: 'VS Code',
  syntax: 'json',
  takesComments: true,
  container: 'servers',
  extra: { type: 'stdio' },
  hasInputs: true,
  // The file of the default profile; another profile has its own, which "MCP: Open User Configuration" shows. Insiders
  // and other builds use other folder names.
  files: (place) => {
    const { join } = getPathModule(place);
    const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: appData } = place.env;
    if (portable) return [join(portable, 'user-data', 'User', 'mcp.json')];
    return [join(appData || settingsFolder(place), 'Code', 'User', 'mcp.json')];
  },
  afterwards: 'Run "MCP: List Servers" in VS Code and start brokerage.',
};
