import { isJson } from '../../core/text/is-json.ts';
import type { DoctorContext } from './context.ts';
import { type Finding, note, ok, warning } from './finding.ts';
import { readHostFiles } from './host-files.ts';

/** Checks which known hosts start this program, by their files, and whether these files can be read. */
export async function checkHosts({ terminal, folder }: DoctorContext): Promise<readonly Finding[]> {
  const files = await readHostFiles(terminal, folder);
  const broken = files.filter(({ isPlainJson, text }) => isPlainJson && text.trim() !== '' && !isJson(text));
  const ours = files.filter(({ text }) => text.includes('brokerage-mcp'));
  const found = broken.map(({ host, path }) =>
    warning(
      `${path} is not valid JSON, so ${host} cannot start the servers configured in it.`,
      'Correct the file, then restart the host.',
    ),
  );
  if (ours.length > 0) return [...found, ok(`Configured in ${[...new Set(ours.map(({ host }) => host))].join(', ')}.`)];
  return [
    ...found,
    note(
      'No known host has an entry for brokerage-mcp.',
      'To add one, run brokerage-mcp init, or copy mcp.json.example from the README by hand.',
    ),
  ];
}
