import { folderFrom, getPathModule, type HostDefinition, settingsFolder } from './host.ts';

const file = 'claude_desktop_config.json';

export const claudeDesktop: HostDefinition = {
  id: 'claude-desktop',
  name: 'Claude Desktop',
  syntax: 'json',
  container: 'mcpServers',
  files: (place) => {
    const { join } = getPathModule(place);
    const documented = join(settingsFolder(place), 'Claude', file);
    if (place.platform !== 'win32') return [documented];
    // The packaged build for Windows redirects %APPDATA% to its own copy. The location is not documented, only known
    // from the issue tracker, so it is used only where it exists.
    const local = folderFrom(place, 'LOCALAPPDATA', 'AppData', 'Local');
    return [join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', file), documented];
  },
  afterwards: 'Quit Claude Desktop (closing its window is not enough) and start it again.',
};
