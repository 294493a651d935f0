/** Judges a run by its record alone: no code and no data of the program takes part. */
import { permissionsOf } from './permissions.ts';
import type { RunRecord } from './record.ts';
import { bounds } from './rules/bounds.ts';
import { halted } from './rules/halted.ts';
import { inTurn } from './rules/in-turn.ts';
import { once } from './rules/once.ts';
import { permitted } from './rules/permitted.ts';
import type { Rule, Violation } from './rules/rule.ts';
import { truthful } from './rules/truthful.ts';
import { readTimeline } from './timeline.ts';

const rules: readonly Rule[] = [permitted, once, bounds, halted, inTurn, truthful];

export function judgeRun(record: RunRecord): readonly Violation[] {
  const timeline = readTimeline(record);
  const evidence = { timeline, permissions: permissionsOf(timeline) };
  const outside = timeline.all('outside');
  return rules
    .flatMap((rule) => rule(evidence))
    .filter(({ rule, line }) => !outside.some((one) => one.line < line && one.excuses.includes(rule)))
    .toSorted((a, b) => a.line - b.line);
}
