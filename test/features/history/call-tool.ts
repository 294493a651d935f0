import { expect } from 'vitest';
import type { Setup } from '../../support/setup.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export type Body = any;

/** The result of a call that must succeed. */
export async function ok({ call }: Setup, tool: string, args: Record<string, unknown>): Promise<Body> {
  const { isError, body } = await call(tool, args);
  expect(isError, JSON.stringify(body)).toBe(false);
  return body;
}
