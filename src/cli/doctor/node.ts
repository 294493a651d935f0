import { neededNode } from '../version.ts';
import { type Finding, fault, ok } from './finding.ts';
import type { Scene } from './scene.ts';

/** Whether this Node is one that the program is made for. */
export async function checkNode({ terminal }: Scene): Promise<readonly Finding[]> {
  const { node, arch } = terminal.machine;
  const needed = neededNode.replace('>=', '');
  const here = `Node ${node}, ${terminal.platform} ${arch}`;
  if (isAtLeast(node, needed)) return [ok(`${here}; ${needed} or newer is needed.`)];
  return [
    fault(
      `${here} is too old: ${needed} or newer is needed.`,
      'Install a newer Node, and give your host its path as "command".',
    ),
  ];
}

function isAtLeast(version: string, least: string): boolean {
  const [here, there] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (const [index, wanted] of (there ?? []).entries()) {
    const part = here?.[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
