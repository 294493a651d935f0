/** Which addresses of the network a request of this program may reach, when the name of the host comes from elsewhere. */

import { Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

export interface Address {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Ranges of IPv4 that are no address of a public server. */
const closedRanges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Within 2000::/3, the only public range of IPv6: tunnels, which reach any IPv4 address, and documentation. */
const closedRanges6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = new BlockList();
for (const [net, prefix] of closedRanges) closed.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of closedRanges6) closed.addSubnet(net, prefix, 'ipv6');
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the public internet. */
export function isPublic({ address }: Pick<Address, 'address'>): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** Ranges that a person's own machine, home, company or private overlay network has. */
const ownRanges: readonly (readonly [string, number])[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];

const own4 = new BlockList();
for (const [net, prefix] of ownRanges) own4.addSubnet(net, prefix, 'ipv4');
const own6 = new BlockList();
own6.addSubnet('fc00::', 7, 'ipv6');
own6.addAddress('::1', 'ipv6');

/**
 * Whether an address is one that a person can have in their own network. Link-local ones are not, because the metadata
 * of a cloud is there.
 */
export function isOwnNetwork({ address }: Pick<Address, 'address'>): boolean {
  const family = isIP(address);
  return family === 4 ? own4.check(address, 'ipv4') : family === 6 && own6.check(address, 'ipv6');
}

/** The host of a URL without the brackets of an IPv6 address. */
export const bareHostname = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** The address that a host is when it is written as one; undefined for a name. */
export function readAddress(host: string): Address | undefined {
  const family = isIP(host);
  return family === 0 ? undefined : { address: host, family };
}

/**
 * Returns the addresses of a host, which is a name or an address without brackets; none when it has none or the name
 * servers do not respond. Asks the name servers directly: a lookup by the system would wait in the few threads that
 * requests to the broker need too, and every client chooses its name server.
 */
export async function resolveAddresses(host: string): Promise<readonly Address[]> {
  const written = readAddress(host);
  if (written) return [written];
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  // A host without addresses of a kind, or without any, is an error there.
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const listed = (found: PromiseSettledResult<string[]>, family: number) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
  return [...listed(four, 4), ...listed(six, 6)];
}
