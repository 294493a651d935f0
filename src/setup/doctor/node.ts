import { requiredNodeVersion } from '../../core/process/version.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

/** Checks whether the program supports this version of Node. */
export async function checkNode({ terminal }: DoctorContext): Promise<readonly Finding[]> {
  const { node, arch } = terminal.machine;
  const needed = requiredNodeVersion.replace('>=', '');
  const here = `Node ${node}, ${terminal.platform} ${arch}`;
  const opened = revealingOptions(terminal.env.NODE_OPTIONS);
  const shown = opened.map((option) =>
    warning(
      `NODE_OPTIONS has ${option}, which shows keys and passphrases to other programs of this user or writes them to files.`,
      'Unset NODE_OPTIONS wherever you start the server and its commands.',
    ),
  );
  if (isAtLeast(node, needed)) return shown.length > 0 ? shown : [ok(`${here}; ${needed} or newer is needed.`)];
  return [
    ...shown,
    fault(
      `${here} is too old: ${needed} or newer is needed.`,
      'Install a newer Node, and give your host its path as "command".',
    ),
  ];
}

/** Options that open the inspector, or that write memory or the environment to a file; without their values. */
const revealingOptions = (options = ''): readonly string[] => [
  ...new Set(options.match(/--(inspect(-brk|-wait)?(?![\w-])|report-[\w-]+|heapsnapshot-[\w-]+|heap-prof)/g) ?? []),
];

function isAtLeast(version: string, least: string): boolean {
  const [here, there] = [version, least].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (const [index, wanted] of (there ?? []).entries()) {
    const part = here?.[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
