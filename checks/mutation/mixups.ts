/**
 * Mutants in which one value is taken for another one that is at hand: a variable, a property with a similar name, or the
 * other side of `??`. The compiler accepts each of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds, listPropertyNames, listSites, type Site } from './mixup-sites.ts';
import { keepSameTypes } from './same-types.ts';
import type { Place } from './write-variants.ts';

/** The places of files below `src`, each with one mutant of a kind. `texts`: by the paths of the files. */
export function mixUp(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly Place[]> {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const names = listPropertyNames(sources.map((name) => readFileSync(join('src', name), 'utf8')));
  const sites = new Map([...texts].map(([file, text]) => [file, listSites(text, names)]));
  return new Map([...keepSameTypes(texts, sites)].map(([file, of]) => [file, of.map(toPlace(texts.get(file) ?? ''))]));
}

const toPlace =
  (text: string) =>
  ({ start, end, line, alternatives, shortName }: Site): Place => ({
    start,
    end,
    shortName,
    changes: kinds.flatMap((kind) => {
      const first = alternatives.find((alternative) => alternative.kind === kind);
      return first ? [{ line, original: text.slice(start, end), replacement: first.text }] : [];
    }),
  });
