/** Every client over each of its transports, each against a server of its own, a few at a time. */
import { visit } from './client-scenario.ts';
import { allClients, type Connected, type OneClient } from './clients.ts';
import { within } from './command.ts';
import { launchIn, startHttpProcess } from './launch.ts';
import type { Visit } from './report.ts';

const visitMs = 120_000;
const closeMs = 20_000;
/** They wait for the limits of the sandbox more than they work. */
const atOnce = 4;

/** In words, for the table. */
export const whatIsDone = 'lists, calls, an order, errors, a resource, a prompt';

export interface Visits {
  readonly done: readonly Visit[];
  readonly faults: readonly string[];
}

export async function visitAll(folder: string, say: (line: string) => void): Promise<Visits> {
  const waiting = allClients(folder).flatMap((client) => [
    { client, over: 'stdio' as const },
    ...(client.overHttp ? [{ client, over: 'HTTP' as const }] : []),
  ]);
  const results: { readonly index: number; readonly visit?: Visit; readonly fault?: string }[] = [];
  const tryOne = async (index: number) => {
    const { client, over } = waiting[index] as (typeof waiting)[number];
    const { name, version, mode } = client;
    const what = `${name} ${version}${mode ? ` (${mode})` : ''} over ${over}`;
    try {
      const revision = await (over === 'stdio' ? overStdio(client, folder) : overHttp(client, folder));
      results.push({ index, visit: { name, version, mode, over, revision } });
      say(`${what}: ${revision}, ${whatIsDone}`);
    } catch (error) {
      const fault = `${what}: ${(error as Error).message}`;
      results.push({ index, fault });
      say(`FAILED ${fault}`);
    }
  };
  const [patient, hasty] = [false, true].map((wanted) =>
    [...waiting.keys()].filter((index) => (waiting[index]?.client.isHasty ?? false) === wanted),
  ) as [number[], number[]];
  const work = async () => {
    for (let index = patient.shift(); index !== undefined; index = patient.shift()) await tryOne(index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const index of hasty) await tryOne(index);
  results.sort((a, b) => a.index - b.index);
  return {
    done: results.flatMap((result) => result.visit ?? []),
    faults: results.flatMap((result) => result.fault ?? []),
  };
}

async function overStdio(client: OneClient, folder: string): Promise<string> {
  return tryOut(client.overStdio(await launchIn(folder)));
}

async function overHttp({ overHttp: connect }: OneClient, folder: string): Promise<string> {
  const server = await startHttpProcess(folder);
  try {
    return await tryOut((connect as NonNullable<OneClient['overHttp']>)(server));
  } finally {
    await server.end();
  }
}

async function tryOut(connecting: Promise<Connected>): Promise<string> {
  const { peer, revision, close } = await within(visitMs, 'Connecting', connecting);
  try {
    await within(visitMs, 'The visit', visit(peer));
    return revision;
  } finally {
    await within(closeMs, 'Closing', close());
  }
}
