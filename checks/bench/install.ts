/** What a new user waits for, with every cache empty: it depends on the network and on nothing else of ours but the size. */
import { join } from 'node:path';
import { installCold, timeFirstAnswer } from '../smoke/install.ts';
import { inEmptyFolder } from '../smoke/run.ts';
import { pack } from '../smoke/tarball.ts';

export interface InstallFigures {
  readonly installSeconds: number;
  /** Of `npx … call get_account_summary {}`, fetching included. */
  readonly firstAnswerSeconds: number;
}

/** Undefined where nothing can be installed, which `npm run smoke` looks into. */
export const measureInstall = (): Promise<InstallFigures | undefined> =>
  inEmptyFolder(async (folder) => {
    const tarball = await pack(folder);
    return {
      installSeconds: await installCold(tarball, join(folder, 'installed')),
      firstAnswerSeconds: await timeFirstAnswer(tarball),
    };
  }).catch(() => undefined);
