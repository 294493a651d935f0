/** Runs cells of the matrix, each parser on a shape at a size, in processes with a heap of 256 MB. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleScript } from '../../scripts/bundle-script.mjs';

export type Cell = readonly [parser: string, shape: string, bytes: number];

export interface Outcome {
  /** `read`, `refused`, or the code of the refusal; undefined when the process ended before. */
  readonly result: string | undefined;
  /** Turns that other work had while the second part was done. */
  readonly turns: number;
}

/** The outcomes in the order of the cells. A process that ends early has none for its last cells. */
export async function runCells(groups: readonly (readonly Cell[])[]): Promise<ReadonlyMap<string, Outcome>> {
  const { outfile, remove } = await bundleScript('test/outside/run-cells.ts');
  try {
    const outputs = await Promise.all(groups.map((cells) => runGroup(outfile, cells)));
    const lines = outputs.flatMap((output) => output.split('\n').filter((line) => line !== ''));
    return new Map(
      lines.map((line) => {
        const [parser, shape, bytes, result, turns] = JSON.parse(line) as [string, string, number, string, number];
        return [nameCell([parser, shape, bytes]), { result, turns }];
      }),
    );
  } finally {
    remove();
  }
}

export const nameCell = ([parser, shape, bytes]: Cell): string => `${parser}: ${shape}, ${bytes} bytes`;

/** What it printed until it ended, however it did. */
const runGroup = (outfile: string, cells: readonly Cell[]): Promise<string> =>
  promisify(execFile)(process.execPath, ['--max-old-space-size=256', outfile, JSON.stringify(cells)], {
    // A parser that hangs ends here; all cells together take about three minutes on idle cores.
    timeout: 1_500_000,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    ({ stdout }) => stdout,
    // A process without memory ends here; what it had printed shows where.
    (error: { stdout?: string }) => error.stdout ?? '',
  );
