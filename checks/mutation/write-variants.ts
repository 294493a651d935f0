/** Writes a text that contains its variants, each off. */
import { resolve } from 'node:path';

/** One change of a text, as a report shows it. */
export interface Change {
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
}

/** An expression that can be another one. Places contain each other or do not overlap. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly Change[];
  /** Of `{ name }`: what replaces the expression has to say the name. */
  readonly shortName?: string | undefined;
}

const switchFile = resolve('checks/mutation/mutant-switch.ts');

/** Returns the text, and the changes by the numbers that `nextId` gives. `places`: in the order of the text, outer ones first. */
export function writeVariants(
  text: string,
  places: readonly Place[],
  nextId: () => string,
): { text: string; changes: (Change & { readonly id: string })[] } {
  const changes: (Change & { readonly id: string })[] = [];
  let next = 0;

  const writeRange = (start: number, end: number): string => {
    const parts: string[] = [];
    let at = start;
    for (let place = places[next]; place && place.start < end; place = places[next]) {
      next++;
      parts.push(text.slice(at, place.start), writePlace(place));
      at = place.end;
    }
    return parts.join('') + text.slice(at, end);
  };

  const writePlace = (place: Place): string => {
    const variants = place.changes.map((change) => {
      const id = nextId();
      changes.push({ ...change, id });
      return `isMutantOn("${id}") ? ${change.replacement} : `;
    });
    const whole = writeRange(place.start, place.end);
    if (variants.length === 0) return whole;
    return `${place.shortName === undefined ? '' : `${place.shortName}: `}(${variants.join('')}${whole})`;
  };

  const written = writeRange(0, text.length);
  return { text: `import { isOn as isMutantOn } from ${JSON.stringify(switchFile)};\n${written}`, changes };
}
