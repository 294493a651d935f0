/** What this server lists of its tools. */

import type { Config } from '../settings/config.ts';
import { isInToolsets } from './in-toolsets.ts';
import type { ToolListing } from './tool.ts';

/**
 * Returns the `_meta` of a tool for hosts. It makes hosts that support it ask a person to confirm a live order even if
 * the user always allows the tool; a call without a person cannot place one there.
 */
export const buildMeta = (
  { _meta, annotations }: Pick<ToolListing, '_meta' | 'annotations'>,
  { environment }: Pick<Config, 'environment'>,
): Record<string, unknown> => {
  const placesOrders = annotations.destructiveHint && !annotations.idempotentHint;
  return placesOrders && environment === 'live'
    ? { ..._meta, 'anthropic/requiresUserInteraction': true }
    : { ..._meta };
};

/** Returns the listings of the tools that this configuration enables. */
export const enabledTools = (
  listing: readonly ToolListing[],
  config: Pick<Config, 'readOnly' | 'toolsets'>,
): readonly ToolListing[] =>
  listing.filter(
    (tool) =>
      isInToolsets(tool, config) && (!config.readOnly || tool.annotations.readOnlyHint || tool.isInReadOnly === true),
  );
