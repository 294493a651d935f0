import type { ProcessContext } from '../core/process/process-context.ts';
import type { Style, Tone } from '../core/process/style.ts';
import type { CheckResult, Level } from '../setup/doctor/finding.ts';
import { wrap } from './format-table.ts';

const marks: Readonly<Record<Level, readonly [mark: string, tone: Tone]>> = {
  ok: ['✓', 'good'],
  note: ['·', 'dim'],
  warning: ['!', 'care'],
  fault: ['✗', 'bad'],
};

/** A finding of doctor for a person in a terminal: a mark, the check, what it found, and below it the fix. */
export function formatFinding(line: CheckResult, checkWidth: number, width: number, style: Style): readonly string[] {
  const [mark, tone] = marks[line.level];
  const indent = ' '.repeat(2 + checkWidth);
  const room = Math.max(20, width - indent.length);
  const says = wrap(line.says, room).map((text) => (line.level === 'ok' ? style('dim', text) : text));
  const fix = line.level === 'ok' ? [] : wrap(`→ ${line.fix}`, room);
  return [...says, ...fix].map((text, at) =>
    at === 0 ? `${style(tone, mark)} ${line.check.padEnd(checkWidth)}${text}` : `${indent}${text}`,
  );
}

/** The finding with the commands of its fix as this user can type them. */
export const nameFix = (line: CheckResult, { nameCommands }: Pick<ProcessContext, 'nameCommands'>): CheckResult =>
  line.level === 'ok' || nameCommands === undefined ? line : { ...line, fix: nameCommands(line.fix) };
