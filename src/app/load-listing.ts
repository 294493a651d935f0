/**
 * The content of tools/list as plain data. The build computes it and writes it beside the program, so that a start
 * loads no tools and builds no schemas; when run from source it is computed on demand.
 */
import type { ToolListing } from '../core/mcp/tool.ts';
import { readBuiltFile } from '../core/process/version.ts';

/** Set by the build (scripts/bundle.mjs). */
declare const IS_BUILT: true | undefined;

/** Returns the listing of all tools, whatever the configuration enables. */
export async function loadListing(): Promise<readonly ToolListing[]> {
  if (typeof IS_BUILT === 'undefined') return (await import('./build-tool-listing.ts')).buildToolListing();
  return JSON.parse(readBuiltFile('tool-list.json'));
}
