/** Node versions other than the one that runs this, from npm; outside devDependencies, where they would shadow it. */
import { run } from './run.ts';

export interface Node {
  readonly version: string;
  readonly path: string;
  /** The version of its own SQLite; undefined when it has none. */
  readonly sqlite: string | undefined;
}

export async function fetchNode(range: string): Promise<Node> {
  const tell = 'JSON.stringify([process.version, process.execPath, process.versions.sqlite])';
  const [version, path, sqlite] = JSON.parse(await run('npx', ['-y', '-p', `node@${range}`, 'node', '-p', tell]));
  return { version, path, sqlite: sqlite ?? undefined };
}
