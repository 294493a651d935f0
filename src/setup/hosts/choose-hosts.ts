/** Selects hosts: from --client, or by asking the user. */
import { UsageError } from '../../core/errors.ts';
import type { Tty } from '../../core/process/terminal.ts';
import type { HostDefinition, Platform } from './host.ts';
import { findHosts, getHostPath, hosts, isInstalled } from './index.ts';

/** Returns the hosts of --client. Throws a UsageError that lists the known hosts. */
export function parseHostFlags(client: string | undefined, place: Platform): readonly HostDefinition[] {
  if (client === undefined)
    throw new UsageError(`--yes needs --client: ${hosts.map(({ id }) => id).join(', ')}, or all that are found.`);
  const found = hosts.filter((host) => isInstalled(host, place));
  const chosen = findHosts(client, found);
  if (chosen.length === 0) throw new UsageError('no host was found on this machine; name one with --client.');
  return chosen;
}

/** Asks which hosts to use. Undefined when the user leaves. */
export async function promptHosts(tty: Tty, place: Platform): Promise<readonly HostDefinition[] | undefined> {
  const found = hosts.filter((host) => isInstalled(host, place));
  const offered = found.length > 0 ? found : hosts;
  tty.say(found.length > 0 ? 'Found on this machine:' : 'None of the known hosts was found here. They are:');
  for (const [index, host] of offered.entries())
    tty.say(`  ${index + 1}  ${host.name.padEnd(15)} ${getHostPath(host, place)}`);
  const otherwise = found.length > 0 ? 'all' : '';
  for (;;) {
    const prompt = `Which? Numbers with commas${otherwise && ', or all [all]'}: `;
    const typed = await tty.promptOrCancel(prompt, { echo: true });
    if (typed === undefined) return undefined;
    const text = typed.trim() || otherwise;
    if (text === 'all' && found.length > 0) return found;
    const picked = text.split(',').map((word) => offered[Number(word.trim()) - 1]);
    if (picked.every((host) => host !== undefined)) return [...new Set(picked)];
    tty.say(`Please type numbers from 1 to ${offered.length}, for example 1,2.`);
  }
}
