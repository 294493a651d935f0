/**
 * Writes a record while a run goes on. What reached the service is taken from its own log whenever something else
 * happens, so that the lines keep their sequence.
 */
import type { Answer, Entry, Request, RunRecord } from './record.ts';

type WithoutTime<One> = One extends Entry ? Omit<One, 'at'> & { readonly at?: number } : never;

export interface Recorder {
  note(entry: WithoutTime<Exclude<Entry, Request>>): void;
  /** Records a call, and its answer when it comes. */
  call(tool: string, args: object): RecordedCall;
  /** Everything so far. The outcome of a request is that of this moment. */
  read(): RunRecord;
}

export interface RecordedCall {
  readonly id: string;
  answered(body: Answer['body']): void;
}

export interface RecorderOptions {
  readonly now: () => number;
  /** The requests since the beginning, oldest first. An entry may be completed later. */
  readonly requests: () => readonly Request[];
}

export function createRecorder({ now, requests }: RecorderOptions): Recorder {
  /** A number is the place of a request in the service's log. */
  const lines: (Entry | number)[] = [];
  let drained = 0;
  let calls = 0;
  const drain = () => {
    for (const count = requests().length; drained < count; drained++) lines.push(drained);
  };
  const note: Recorder['note'] = (entry) => {
    drain();
    lines.push({ at: now(), ...entry } as Entry);
  };
  return {
    note,
    call: (tool, args) => {
      const id = String(++calls);
      note({ kind: 'call', id, tool, args: { ...args } });
      return { id, answered: (body) => note({ kind: 'answer', call: id, body }) };
    },
    read: () => {
      drain();
      const log = requests();
      return lines.flatMap((line) => (typeof line === 'number' ? (log[line] ?? []) : [line]));
    },
  };
}
