import * as z from 'zod';
import { arrayOf, text } from './fields.ts';

/**
 * A list that is not paginated. Whether it comes bare or in an envelope is not shown in the
 * specification: a bare array, `{items: [...]}` and `{data: [...]}` are all taken.
 */
export const unpaginatedList = <Item extends z.ZodType>(item: Item) =>
  z
    .union([arrayOf(item), z.object({ items: arrayOf(item) }), z.object({ data: arrayOf(item) })])
    .transform((answer) => (Array.isArray(answer) ? answer : 'items' in answer ? answer.items : answer.data));

/** PaginatedResponse…: `nextPagePath` is null, empty or absent at the end of the data. */
export const paginatedList = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.object({ items: arrayOf(item), nextPagePath: text() }),
    z.object({ data: arrayOf(item), nextPagePath: text() }).transform(({ data, nextPagePath }) => ({
      items: data,
      nextPagePath,
    })),
    arrayOf(item).transform((items) => ({ items, nextPagePath: undefined })),
  ]);

/** A body that is not shown in the specification and may be empty. */
export const unspecifiedBody = () => z.unknown();
