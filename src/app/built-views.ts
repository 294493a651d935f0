import type { ViewName } from '../core/mcp/view-names.ts';
import { readBuiltFile } from '../core/text/built-files.ts';

/** Set by the build (scripts/bundle.mjs). */
declare const IS_BUILT: true | undefined;

/** The HTML of a view; undefined when the program runs from source, where nothing is bundled. */
export const builtView = async (name: ViewName): Promise<string | undefined> =>
  typeof IS_BUILT === 'undefined' ? undefined : readBuiltFile(`views/${name}.html`);
