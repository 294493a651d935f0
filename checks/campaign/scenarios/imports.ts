/** A file of a report ends each process that reads it: the import gives it up after three tries, and takes the next. */
import { startCommand } from '../command.ts';
import { openRig } from '../harness.ts';
import { createReportFiles } from '../report-files.ts';
import { count, pause } from '../scenario-run.ts';
import { type Bench, isDone, type Scenario } from '../trial-environment.ts';

const maxTries = 3;
const [deadly, good] = [1, 2];
const longestMs = 40_000;

async function trial(bench: Bench): Promise<void> {
  const { program, site, line } = bench;
  const rig = await openRig(program, site, line);
  try {
    let tell = (_: number): void => undefined;
    site.upstream.reports = createReportFiles([deadly, good], (id) => tell(id));
    for (let run = 1; run <= maxTries + 1; run++) {
      const downloaded = new Promise<number>((resolve) => {
        tell = resolve;
      });
      const { ended, signal } = startCommand(program, rig, 'import', '--years', '1');
      // Killed while it reads the file.
      const id = await Promise.race([downloaded, ended.then(() => 0), pause(longestMs).then(() => 0)]);
      signal('SIGKILL');
      await ended;
      const expected = run <= maxTries ? deadly : good;
      if (id !== expected) line.violations.push(`import: run ${run} read file ${id} instead of file ${expected}`);
      count(line, `(file ${id})`);
    }
    line.trials++;
  } finally {
    site.upstream.reports = undefined;
    await rig.dispose();
  }
}

export const killedImports: Scenario = {
  name: 'an import is killed by a file',
  weight: 6,
  short: 1,
  most: 20,
  run: async (bench) => {
    while (!isDone(bench)) await trial(bench);
  },
};
