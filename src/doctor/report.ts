/** How findings are shown: to a person as lines, to a program as JSON. */
import { version } from '../process/version.ts';
import type { CheckResult, Level } from './finding.ts';

const levels: readonly Level[] = ['fault', 'warning', 'note', 'ok'];
const levelWidth = Math.max(...levels.map((level) => level.length)) + 2;

/** The finding, and below it the arrow to its mend. */
export function plainLines(line: CheckResult, checkWidth: number): string[] {
  const head = line.level.padEnd(levelWidth) + line.check.padEnd(checkWidth);
  const mend = line.level === 'ok' ? [] : [`${' '.repeat(head.length)}→ ${line.mend}`];
  return [`${head}${line.says}`, ...mend];
}

export function plainSummary(lines: readonly CheckResult[]): string {
  const counts = countLevels(lines);
  const words = levels.filter((level) => counts[level] > 0).map((level) => formatCount(counts[level], level));
  return `${counts.fault === 0 ? 'No fault: ' : ''}${words.join(', ')}.`;
}

export function jsonReport(lines: readonly CheckResult[]): string {
  const counts = countLevels(lines);
  return JSON.stringify({ version, healthy: counts.fault === 0, counts, lines }, null, 2);
}

/** 1 when something does not work, which a script can ask for. */
export const computeExitCode = (lines: readonly CheckResult[]): number =>
  lines.some(({ level }) => level === 'fault') ? 1 : 0;

const countLevels = (lines: readonly CheckResult[]): Record<Level, number> => {
  const count = (level: Level) => lines.filter((line) => line.level === level).length;
  return { fault: count('fault'), warning: count('warning'), note: count('note'), ok: count('ok') };
};

const formatCount = (count: number, level: Level) => `${count} ${level === 'ok' || count === 1 ? level : `${level}s`}`;
