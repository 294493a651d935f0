/**
 * Opens an address in the user's browser. The address is passed as an argument, never through a shell, because it
 * is data.
 */
import { spawn } from 'node:child_process';

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Returns a function that opens an address; undefined on an unknown platform, or without a graphical session. */
export function createBrowserOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): ((address: string) => void) | undefined {
  const opener = openers[platform];
  if (!opener) return undefined;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const [command, ...args] = opener;
  // The environment of this process may contain the key and the secret, which the browser must not get.
  const withoutOurs = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));
  return (address) => {
    const child = spawn(command, [...args, address], {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: withoutOurs,
    });
    // The program does not exist. The address is also shown as text.
    child.on('error', () => undefined);
    child.unref();
  };
}
