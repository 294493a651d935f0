import * as z from 'zod';
import { arrayOf, text } from './fields.ts';

/**
 * A list without paging. The specification does not show whether it comes bare or in an envelope, so a bare array,
 * `{items: [...]}` and `{data: [...]}` are all accepted.
 */
export const unpaginatedList = <Item extends z.ZodType>(item: Item) =>
  z
    .union([arrayOf(item), z.object({ items: arrayOf(item) }), z.object({ data: arrayOf(item) })])
    .transform((answer) => (Array.isArray(answer) ? answer : 'items' in answer ? answer.items : answer.data));

/** PaginatedResponse…: `nextPagePath` is null, empty or absent at the end of the list. */
export const paginatedList = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.object({ items: arrayOf(item), nextPagePath: text() }),
    z.object({ data: arrayOf(item), nextPagePath: text() }).transform(({ data, nextPagePath }) => ({
      items: data,
      nextPagePath,
    })),
    arrayOf(item).transform((items) => ({ items, nextPagePath: undefined })),
  ]);

/** A body that the specification does not show and that may be empty. */
export const unspecifiedBody = () => z.unknown();
