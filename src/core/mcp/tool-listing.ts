/**
 * The content of tools/list as plain data. The build computes it and writes it beside the program, so that a start
 * loads no tools and builds no schemas; when run from source it is computed on demand.
 */

import type { Config } from '../settings/config.ts';
import { readBuiltFile } from '../text/built-files.ts';
import { isInToolsets } from './in-toolsets.ts';
import type { ToolListing } from './tool.ts';

/** Set by the build (scripts/bundle.mjs). */
declare const IS_BUILT: true | undefined;

/** Returns the listing of all tools, whatever the configuration enables. */
export async function loadListing(): Promise<readonly ToolListing[]> {
  if (typeof IS_BUILT === 'undefined') return (await import('./build-tool-listing.ts')).buildToolListing();
  return JSON.parse(readBuiltFile('tool-list.json'));
}

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
