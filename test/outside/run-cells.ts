/**
 * Runs parsers on shapes and prints what became of each cell as JSON: `run-cells [PARSER SHAPE BYTES]…`, given as one
 * JSON list. A process of its own, so that a test can give it a small heap.
 */
import { BrokerageError } from '../../src/core/errors.ts';
import { countTurns } from '../support/count-turns.ts';
import { parsers } from './parsers.ts';

const describeError = (error: unknown): string => {
  if (!(error instanceof BrokerageError)) return (error as Error).name;
  return String(error.facts.reportFault ?? error.code);
};

const cells = JSON.parse(process.argv[2] ?? '[]') as [parser: string, shape: string, bytes: number][];
for (const [name, shape, bytes] of cells) {
  const parser = parsers[name];
  const given = Buffer.from((parser?.shapes[shape]?.(bytes) ?? '') as string);
  let turns = 0;
  const result = await Promise.resolve()
    .then(() => parser?.parse(given))
    .then(async (parsed) => {
      if (parsed === false) return 'refused';
      const counted = await countTurns(async () => parser?.finish?.(parsed as never));
      turns = counted.turns;
      return 'read';
    })
    .catch(describeError);
  // One line for each, so that the last one before a crash is known.
  process.stdout.write(`${JSON.stringify([name, shape, bytes, result, turns])}\n`);
}
process.exit();
