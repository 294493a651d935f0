/** Reads a record from JSON lines. */
import type { Entry, RunRecord } from './record.ts';

const kinds: readonly Entry['kind'][] = [
  'setup',
  'call',
  'answer',
  'cancel',
  'version',
  'request',
  'shown',
  'decision',
  'ends',
  'intent',
  'stop',
  'resume',
  'price',
  'outside',
];

export const parseRecord = (text: string): RunRecord =>
  text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const entry = JSON.parse(line) as Entry;
    if (!kinds.includes(entry.kind) || typeof entry.at !== 'number')
      throw new Error(`Line ${index + 1} is no entry of a record: it needs a known kind and the time "at".`);
    return [entry];
  });

export const writeRecord = (record: RunRecord): string => record.map((entry) => `${JSON.stringify(entry)}\n`).join('');
