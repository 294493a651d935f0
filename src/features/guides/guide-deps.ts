import type { Config } from '../../core/settings/config.ts';
import type { CompletableArgument } from '../../features/guides/completion.ts';
import type { ResourceText } from './resources/read-resource.ts';

/** What the prompts, resources and skills of a server need. */
export interface GuideDeps {
  readonly config: Pick<Config, 'toolsets'>;
  /** Returns undefined when the resource does not exist. */
  readonly readResource: (uri: string) => Promise<ResourceText | undefined>;
  readonly complete: (what: CompletableArgument, value: string) => Promise<string[]>;
  /** Returns the ids of downloaded reports. */
  readonly listExports: () => Promise<readonly string[]>;
}
