import type { DoctorContext } from './context.ts';
import { type Finding, note, ok, warning } from './finding.ts';
import { readHostFiles } from './host-files.ts';

/** Which of the usual hosts start this program, by their files, and whether those can be read at all. */
export async function checkHosts({ terminal, folder }: DoctorContext): Promise<readonly Finding[]> {
  const files = await readHostFiles(terminal, folder);
  const broken = files.filter(({ isPlainJson, text }) => isPlainJson && text.trim() !== '' && !isJson(text));
  const ours = files.filter(({ text }) => text.includes('brokerage-mcp'));
  const found = broken.map(({ host, path }) =>
    warning(
      `${path} is not valid JSON, so ${host} starts no server that is named there.`,
      'Correct the file, then restart the host.',
    ),
  );
  if (ours.length > 0) return [...found, ok(`Named by ${[...new Set(ours.map(({ host }) => host))].join(', ')}.`)];
  return [
    ...found,
    note(
      'None of the usual hosts names brokerage-mcp in its file.',
      'If a host is to start it: brokerage-mcp init, or the README’s mcp.json.example by hand.',
    ),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
