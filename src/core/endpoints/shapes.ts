import * as z from 'zod';
import { arrayOf, readableArrayOf, text } from './fields.ts';

/**
 * A list without paging. The specification does not show whether it comes bare or in an envelope, so a bare array,
 * `{items: [...]}` and `{data: [...]}` are all accepted.
 */
export const unpaginatedList = <Item extends z.ZodType>(item: Item) => inEnvelope(arrayOf(item));

/** A list of metadata, in which an item that cannot be read is left out and counted (see `countUnreadable`). */
export const metadataList = <Item extends z.ZodType>(item: Item) => inEnvelope(readableArrayOf(item));

const inEnvelope = <Item>(items: z.ZodType<Item[]>) =>
  z
    .union([items, z.object({ items }), z.object({ data: items })])
    .transform((answer): Item[] => (Array.isArray(answer) ? answer : 'items' in answer ? answer.items : answer.data));

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
