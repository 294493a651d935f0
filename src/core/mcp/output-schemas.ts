/**
 * Shared parts of output schemas. They allow unknown fields: the service may add some, and clients must not reject
 * them.
 */
import * as z from 'zod';

/** An exact decimal or id as a string. */
export const amount = () => z.string().optional();

export const listOutput = {
  columns: z.array(z.string()).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  items: z.array(z.looseObject({})).optional(),
  complete: z.boolean().optional(),
  nextCursor: z.string().optional(),
};

export const outcomeOutput = {
  outcome: z.string(),
  intentId: z.string().optional(),
  orderId: z.string().optional(),
  message: z.string(),
  next: z.string().optional(),
  coalesced: z.boolean().optional(),
};

/** Fields that every place tool returns. */
export const placingOutput = {
  ...outcomeOutput,
  earlierOrder: z.looseObject({}).optional(),
  retryAfterSeconds: z.number().optional(),
};
