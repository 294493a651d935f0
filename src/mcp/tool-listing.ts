/**
 * What tools/list says, as plain data. The build computes it once and writes it beside the program, so
 * that a start neither loads the tools nor makes schemas; from source it is computed when asked for.
 */
import { readBuiltFile } from '../built-files.ts';
import type { Config } from '../config.ts';
import type { ToolListing } from './tool.ts';

/** Set by the build (scripts/bundle.mjs). */
declare const IS_BUILT: true | undefined;

export async function loadListing(): Promise<readonly ToolListing[]> {
  if (typeof IS_BUILT === 'undefined') return (await import('./build-tool-listing.ts')).buildToolListing();
  return JSON.parse(readBuiltFile('tool-list.json'));
}

/**
 * What hosts are told of a tool. A live order is confirmed by a person in hosts that can see to it, also
 * where they were told to allow the tool: whoever calls without a person there gets no live order.
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

/** The tools that this configuration registers. */
export const enabledTools = (
  listing: readonly ToolListing[],
  config: Pick<Config, 'readOnly' | 'toolsets'>,
): readonly ToolListing[] =>
  listing.filter(
    (tool) => config.toolsets.includes(tool.toolset) && (!config.readOnly || tool.annotations.readOnlyHint),
  );
