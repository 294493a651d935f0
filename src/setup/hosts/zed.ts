import { folderFrom, getPathModule, type HostDefinition, inHome, settingsFolder } from './host.ts';

export const zed: HostDefinition = {
  id: 'zed',
  name: 'Zed',
  syntax: 'json',
  takesComments: true,
  container: 'context_servers',
  // Required by versions of 2025; later versions accept it.
  extra: { source: 'custom' },
  // On macOS the folder is ~/.config, not the one for application support, whatever XDG_CONFIG_HOME is.
  files: (place) => {
    const { join } = getPathModule(place);
    if (place.platform === 'win32') return [join(settingsFolder(place), 'Zed', 'settings.json')];
    if (place.platform === 'darwin') return [inHome(place, '.config', 'zed', 'settings.json')];
    const base = place.env.FLATPAK_XDG_CONFIG_HOME || folderFrom(place, 'XDG_CONFIG_HOME', '.config');
    return [join(base, 'zed', 'settings.json')];
  },
  afterwards: 'Zed reads the change automatically; the agent panel’s settings show the server.',
};
