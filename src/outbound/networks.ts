import { BlockList, isIP } from 'node:net';
import { isMapped, parseAddressNumbers } from '../config/networks.ts';

/** IPv4 networks that lead to this machine, to its neighbours, or to nobody on the internet. */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  // Protocol assignments, documentation, AS112, 6to4 relays, benchmarks.
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Azure's host agent. Its address looks public, but is reachable only from inside a virtual machine.
  '168.63.129.16/32',
];

/** The only IPv6 range that is assigned to hosts on the internet. */
const GLOBAL_6 = ['2000::/3'];
/** Exceptions in this range: Teredo and other protocol assignments, documentation, 6to4, AS112, documentation again. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Prefix `64:ff9b::/96`, as numbers. The prefix for local use, `64:ff9b:1::/48`, is never public. */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0].join(':');

const notPublic4 = buildBlockList(NOT_PUBLIC_4);
const notPublic6 = buildBlockList(NOT_PUBLIC_6);
const global6 = buildBlockList(GLOBAL_6);

/** Reports whether connections to an IP address are allowed. */
export type IsAllowed = (address: string) => boolean;

/** @param networks networks that are allowed although they are not public, such as `10.20.0.0/16` or `10.20.0.7` */
export function allowPublicAnd(networks: readonly string[]): IsAllowed {
  const allowed = buildBlockList(networks);
  return (address) => isPublic(address) || contains(allowed, address);
}

/** Reports whether a string is an IP address on the public internet. */
export function isPublic(text: string): boolean {
  const address = simplify(text);
  if (isIP(address) === 4) return !notPublic4.check(address);
  if (isIP(address) !== 6) return false;
  const groups = parseAddressNumbers(address);
  if (isNat64(groups)) return isPublic(lastFourBytes(groups));
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6') && !isIsatap(groups);
}

/**
 * Reports whether an address belongs to NAT64 (RFC 6052), which translates it to the IPv4 address in its last 32 bits.
 */
function isNat64(groups: number[]): boolean {
  return groups.slice(0, 6).join(':') === NAT64;
}

/**
 * Reports whether an address is a tunnel to the IPv4 address in its last 32 bits, under any prefix (RFC 5214). No
 * server on the internet has such an address.
 */
function isIsatap(groups: number[]): boolean {
  return groups[5] === 0x5efe && (groups[4]! & ~0x200) === 0;
}

function contains(list: BlockList, text: string): boolean {
  const address = simplify(text);
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Removes the zone, and writes an IPv4 address that is mapped to IPv6 as IPv4. */
function simplify(text: string): string {
  const address = text.replace(/%.*$/, '');
  return isMapped(address) ? lastFourBytes(parseAddressNumbers(address)) : address;
}

function lastFourBytes(groups: number[]): string {
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  return bytes.join('.');
}

function buildBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string?];
    const isFour = isIP(address) === 4;
    list.addSubnet(address, Number(prefix ?? (isFour ? 32 : 128)), isFour ? 'ipv4' : 'ipv6');
  }
  return list;
}

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1'];

/** Returns the networks that requests to customers' URLs can reach in addition to the internet. */
export function listExtraNetworks({
  allowedNetworks,
  allowsLoopback,
}: {
  allowedNetworks: readonly string[];
  allowsLoopback: boolean;
}): string[] {
  return [...allowedNetworks, ...(allowsLoopback ? LOOPBACK_NETWORKS : [])];
}
