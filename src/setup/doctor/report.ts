/** Prints findings as lines for people or as JSON for programs. */
import { version } from '../../core/process/version.ts';
import type { CheckResult, Level } from './finding.ts';

const levels: readonly Level[] = ['fault', 'warning', 'note', 'ok'];
const levelWidth = Math.max(...levels.map((level) => level.length)) + 2;

/** Returns the line of a finding, and below it an arrow with the fix. */
export function plainLines(line: CheckResult, checkWidth: number): string[] {
  const head = line.level.padEnd(levelWidth) + line.check.padEnd(checkWidth);
  const fix = line.level === 'ok' ? [] : [`${' '.repeat(head.length)}→ ${line.fix}`];
  return [`${head}${line.says}`, ...fix];
}

/** Returns the last line of the report: the number of findings per level. */
export function plainSummary(lines: readonly CheckResult[]): string {
  const { fault } = countLevels(lines);
  return `${fault === 0 ? 'No fault: ' : ''}${countWords(lines).join(', ')}.`;
}

/** The number of findings of each level that has some: `1 fault`, `2 notes`. */
export function countWords(lines: readonly CheckResult[]): string[] {
  const counts = countLevels(lines);
  return levels.filter((level) => counts[level] > 0).map((level) => formatCount(counts[level], level));
}

/** Returns the report as JSON for programs. */
export function jsonReport(lines: readonly CheckResult[]): string {
  const counts = countLevels(lines);
  return JSON.stringify({ version, healthy: counts.fault === 0, counts, lines }, null, 2);
}

/** Returns 1 when there is a fault, so that a script can check it. */
export const computeExitCode = (lines: readonly CheckResult[]): number =>
  lines.some(({ level }) => level === 'fault') ? 1 : 0;

const countLevels = (lines: readonly CheckResult[]): Record<Level, number> => {
  const count = (level: Level) => lines.filter((line) => line.level === level).length;
  return { fault: count('fault'), warning: count('warning'), note: count('note'), ok: count('ok') };
};

const formatCount = (count: number, level: Level) => `${count} ${level === 'ok' || count === 1 ? level : `${level}s`}`;
