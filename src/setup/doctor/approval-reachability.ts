/** How a person can approve orders on this machine: browser, terminal, container. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createBrowserOpener } from '../../core/process/open-browser.ts';
import type { ProcessContext } from '../../core/process/process-context.ts';
import { openTty } from '../../core/process/terminal.ts';

export interface ApprovalReachability {
  readonly browser: boolean;
  readonly terminal: boolean;
  readonly container: boolean;
}

export function describeApprovalReachability(terminal: ProcessContext): ApprovalReachability {
  const { platform, env } = terminal;
  const tty = openTty(terminal);
  tty?.close();
  return {
    browser:
      createBrowserOpener(platform, env) !== undefined && (platform !== 'linux' || isInPath('xdg-open', env.PATH)),
    terminal: tty !== undefined,
    container: platform === 'linux' && isContainer(env),
  };
}

const isInPath = (name: string, path = '') => path.split(delimiter).some((folder) => existsSync(join(folder, name)));

/** No system reports this directly; these are the traces that common container systems leave. */
function isContainer(env: ProcessContext['env']): boolean {
  if (env.KUBERNETES_SERVICE_HOST || env.container) return true;
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  try {
    return /docker|kubepods|containerd|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    // The file exists on Linux only.
    return false;
  }
}
