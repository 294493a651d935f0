/** What is told about a history that is still being read: to the person who waits, and in the answer. */
import type { Coverage, ReadOptions } from '../history/history.ts';
import type { ToolCall } from './tool.ts';

/** Told once per new state of the reading, not every time somebody looks. */
export function historyProgress(call: ToolCall): NonNullable<ReadOptions['onProgress']> {
  const told = new Set<string>();
  return ({ kind, rows, from }) => {
    const message = `Read ${rows} rows of ${kind}${from ? `, back to ${from.slice(0, 10)}` : ''}; the rate limit sets the pace`;
    if (told.has(message)) return;
    told.add(message);
    call.progress(message);
  };
}

/** Why an answer is not whole, and what to do about it. */
export function incompleteNote(...coverages: readonly Coverage[]): string {
  const reasons = [...new Set(coverages.flatMap(({ missing }) => missing ?? []))];
  const isReading = coverages.some(({ reading }) => reading);
  const next = isReading ? 'The rest is being read in the background: ask again in a minute.' : 'Ask again later.';
  return ['Not complete.', ...reasons, next].join(' ');
}
