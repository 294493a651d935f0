/** What a host learns of each kind of tool before it lets a model call it, and what a read-only server keeps. */
import { expect, test } from 'vitest';
import { buildAnnotations, isInReadOnly, type ToolEffect } from '../../../src/core/mcp/tool.ts';

test.each<[ToolEffect, boolean, boolean, boolean, boolean]>([
  ['reads', true, false, true, true],
  ['saves', true, false, true, true],
  ['places', false, true, false, false],
  ['cancels', false, true, true, false],
  ['creates', false, false, false, false],
  ['changes', false, true, true, false],
  ['deletes', false, true, true, false],
  // Orders that are not sent.
  ['drafts', false, false, true, true],
])(
  'a tool that %s is a read: %s, destructive: %s, idempotent: %s, and kept by a read-only server: %s',
  (effect, readOnlyHint, destructiveHint, idempotentHint, isKept) => {
    const hints = { readOnlyHint, destructiveHint, idempotentHint };
    expect(buildAnnotations({ effect, endpoints: [] })).toEqual({ ...hints, openWorldHint: false });
    expect(buildAnnotations({ effect, endpoints: [{}] as never })).toEqual({ ...hints, openWorldHint: true });
    expect(isInReadOnly({ effect })).toBe(isKept);
  },
);
