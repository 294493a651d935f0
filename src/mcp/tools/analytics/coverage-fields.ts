/** What the tools of this folder do alike: read histories, and say how whole they are. */
import type { Coverage, ReadOptions } from '../../../history/history-port.ts';
import { coverageNote, historyProgress } from '../../coverage-notes.ts';
import type { ToolCall } from '../../tool.ts';

/** How long an answer waits for pages that are still being read; after that it is told with what is there. */
const maxWaitMs = 20_000;

export const readOptions = (call: ToolCall): ReadOptions => ({
  context: call.context({ waitUntil: call.clock.now() + maxWaitMs }),
  onProgress: historyProgress(call),
});

/** `complete`, the coverage of each history, and a note when rows are missing or something else is to be said. */
export function coverageFields(
  coverage: Readonly<Record<string, Coverage>>,
  remarks: readonly (string | undefined)[] = [],
) {
  const parts = Object.values(coverage);
  const complete = parts.every((part) => part.complete);
  const { note: missing, ...retry } = coverageNote(...parts);
  const notes = [...(complete ? [] : [missing, 'The figures will change when these rows arrive.']), ...remarks];
  const note = notes.filter((text) => text !== undefined).join(' ');
  return { complete, coverage, ...retry, ...(note === '' ? {} : { note }) };
}
