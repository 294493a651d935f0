import type { ViewName } from '../mcp/view-names.ts';

/** Replaced by the build (scripts/build.mjs): the HTML of each view. */
declare const PREPARED_VIEWS: Readonly<Record<ViewName, string>> | undefined;

/** The HTML of a view; undefined when this runs from source, where nothing is bundled. */
export const preparedView = (name: ViewName): string | undefined =>
  typeof PREPARED_VIEWS === 'undefined' ? undefined : PREPARED_VIEWS[name];
