/**
 * Counts the steps of each case at its two sizes, and prints them as JSON: `count.mjs BUNDLE`. The counts are
 * those of the engine, one for each time that a block of the code runs, so they are the same on every machine.
 */
import { Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

const session = new Session();
session.connect();

/** The inspector of this very thread answers before `post` returns. */
function ask(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

ask('Profiler.enable');
// Before the code is loaded, because what is compiled earlier has no counters of its blocks.
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { cases } = await import(pathToFileURL(process.argv[2]).href);

function countSteps(work) {
  // Taking the counts sets them back to zero.
  ask('Profiler.takePreciseCoverage');
  work();
  const { result } = ask('Profiler.takePreciseCoverage');
  const ranges = result.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}

const counts = Object.entries(cases).map(([name, { counted, prepare }]) => [
  name,
  counted.map((size) => countSteps(prepare(size))),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(counts)));
