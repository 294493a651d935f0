import type { ToolAnnotations, ToolDefinition, ToolEffect } from './tool.ts';

/**
 * `saves` writes a file of our own and nothing at the broker, so it counts as reading: read-only
 * servers keep it. `drafts` writes orders that are not sent: read-only servers keep it too, but a host should not take
 * it for a read.
 */
const byEffect: Record<ToolEffect, Omit<ToolAnnotations, 'openWorldHint'>> = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  saves: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  places: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  cancels: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  creates: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  drafts: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
};

export const buildAnnotations = (tool: Pick<ToolDefinition, 'effect' | 'endpoints'>): ToolAnnotations => ({
  ...byEffect[tool.effect],
  openWorldHint: tool.endpoints.length > 0,
});

/** Whether a tool is available in read-only mode: it changes nothing at the broker. */
export const isInReadOnly = ({ effect }: Pick<ToolDefinition, 'effect'>): boolean =>
  byEffect[effect].readOnlyHint || effect === 'drafts';
