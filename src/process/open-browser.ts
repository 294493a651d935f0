/** Shows an address in the person's browser. By arguments, never through a shell: an address is data. */
import { spawn } from 'node:child_process';

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** Undefined where nobody would see it: no graphical session. */
export function createBrowserOpener(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): ((address: string) => void) | undefined {
  const opener = openers[platform];
  if (!opener) return undefined;
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return undefined;
  const [command, ...args] = opener;
  // The key and the secret may be in ours, and are none of the browser's business.
  const withoutOurs = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('BROKER_')));
  return (address) => {
    const child = spawn(command, [...args, address], {
      stdio: 'ignore',
      detached: true,
      shell: false,
      env: withoutOurs,
    });
    // No such program: the address is also told in words.
    child.on('error', () => undefined);
    child.unref();
  };
}
