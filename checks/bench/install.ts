/** How long a new user waits with every cache empty: it depends on the network, and on the size of the package. */
import { join } from 'node:path';
import { installCold, timeFirstAnswer } from '../smoke/install.ts';
import { inEmptyFolder } from '../smoke/run.ts';
import { pack } from '../smoke/tarball.ts';

export interface InstallFigures {
  readonly installSeconds: number;
  /** Of `npx … call get_account_summary {}`, download included. */
  readonly firstAnswerSeconds: number;
}

/** Undefined where nothing can be installed; `npm run smoke` shows the reason. */
export const measureInstall = (): Promise<InstallFigures | undefined> =>
  inEmptyFolder(async (folder) => {
    const tarball = await pack(folder);
    return {
      installSeconds: await installCold(tarball, join(folder, 'installed')),
      firstAnswerSeconds: await timeFirstAnswer(tarball),
    };
  }).catch(() => undefined);
