/** Shortens lists in the fields of a result, which stand beside its rows and have no cursor of their own. */

import { hostLength } from './host-length.ts';

type Fields = Record<string, unknown>;

interface FieldList {
  readonly name: string;
  readonly length: number;
  items: unknown[];
  replace(items: unknown[]): void;
}

/** The outcome of each order decides what to do next, so these lists are shortened last. */
const isEssential = ({ name }: FieldList): boolean => /(^|\.)legs$/.test(name);

/**
 * Removes items from the end of the longest lists until the fields have at most `most` characters as JSON, in the measure
 * of `hostLength`. Each list that lost items is named in `shortened`. Changes the given fields.
 */
export function fitFields(fields: Fields, most: number): Fields {
  if (hostLength(JSON.stringify(fields)) <= most) return fields;
  const lists = findLists(fields);
  for (;;) {
    const shortened = describeShortened(lists);
    const result = Object.keys(shortened).length > 0 ? { ...fields, shortened } : fields;
    const over = hostLength(JSON.stringify(result)) - most;
    const longest = findLongest(lists.filter((list) => !isEssential(list))) ?? findLongest(lists);
    if (over <= 0 || !longest) return result;
    cut(longest, over);
  }
}

/** The longest list with items; undefined when there is none. */
const findLongest = (lists: readonly FieldList[]): FieldList | undefined =>
  lists
    .filter(({ items }) => items.length > 0)
    .reduce<FieldList | undefined>((a, b) => (a && measure(a.items) >= measure(b.items) ? a : b), undefined);

const measure = (value: unknown): number => JSON.stringify(value).length;

/** Removes enough items, but at most half of them: then another list can be the longest. */
function cut(list: FieldList, characters: number): void {
  let kept = list.items.length;
  const least = Math.floor(kept / 2);
  for (let removed = 0; kept > least && removed < characters; kept--) removed += measure(list.items[kept - 1]) + 1;
  list.items = list.items.slice(0, kept);
  list.replace(list.items);
}

/** Every list that is a field, or a field of an object in the fields. The rows of a table are named as their table. */
function findLists(parent: Fields, path: readonly string[] = []): FieldList[] {
  return Object.entries(parent).flatMap(([key, value]): FieldList[] => {
    if (Array.isArray(value)) {
      if (key === 'columns') return [];
      const isTable = key === 'rows' && 'columns' in parent;
      const replace = (items: unknown[]) => {
        parent[key] = items;
      };
      return [{ name: (isTable ? path : [...path, key]).join('.'), length: value.length, items: value, replace }];
    }
    return typeof value === 'object' && value !== null ? findLists(value as Fields, [...path, key]) : [];
  });
}

const describeShortened = (lists: readonly FieldList[]): Record<string, string> =>
  Object.fromEntries(
    lists
      .filter(({ items, length }) => items.length < length)
      .map(({ name, items, length }) => [name, `${items.length} of ${length}`]),
  );
