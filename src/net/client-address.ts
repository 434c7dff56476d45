import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** An address, or one with its port: `203.0.113.8:51234`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;
const IPV4_MAPPED = '::ffff:';

/**
 * Reads an IP address in any of the spellings that proxies write: with a port, in brackets or quotes, with a zone, in upper
 * case, or IPv4 mapped to IPv6. Returns its only canonical spelling (an IPv4 address as such, an IPv6 address as RFC 5952
 * has it, without a zone), so that two spellings of one address are equal texts.
 * @returns null for what is no address, as `unknown` and `_hidden` are; nor is one with leading zeros, which some read as octal
 */
export function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const entry = /^"(.*)"$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const parts = WITH_PORT.exec(entry);
  if (!parts) return canonical(entry);
  const [, bracketed, bare, port = '0'] = parts;
  return Number(port) > MAX_PORT ? null : canonical(bracketed ?? bare!);
}

function canonical(host: string): string | null {
  if (isIPv4(host)) return host;
  const address = host.replace(/%.*$/, '');
  if (!isIPv6(address)) return null;
  const compressed = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = compressed.startsWith(IPV4_MAPPED) ? compressed.slice(IPV4_MAPPED.length) : '';
  return isIPv4(mapped) ? mapped : compressed;
}

/** Reads the first address of a list, which is the client's in the lists that proxies write. @returns as `readAddress` does */
export function readFirstAddress(list: string): string | null {
  return readAddress(splitEntries(list)[0] ?? '');
}

/** Parts of a request that tell where it comes from. */
export interface RequestSource {
  socketAddress: string | undefined;
  /** X-Forwarded-For: all of its lines, joined by commas. */
  forwardedFor: string | undefined;
  /** Proxies in front of the service. Each has added one entry, so that further left stands what a client made up. */
  hops: number;
}

/**
 * Finds the address of a client: with n proxies the n-th entry from the right, or the leftmost where there are fewer. Without
 * a proxy or an entry it is the one of the socket.
 * @returns null where that is no address; what stands beside it is then not believed either
 */
export function clientAddress({ socketAddress, forwardedFor, hops }: RequestSource): string | null {
  const entries = hops > 0 ? splitEntries(forwardedFor ?? '') : [];
  return readAddress(entries.at(-hops) ?? entries[0] ?? socketAddress ?? '');
}

/** Empty ones do not count (RFC 9110, 5.6.1). */
function splitEntries(list: string): string[] {
  return list.split(',').filter((entry) => entry.trim() !== '');
}

/**
 * The first 48 bits of a canonical IPv6 address: whoever has one address of such a network has all of them. An IPv4 address is
 * whole, and all that is no address is one.
 */
export function toClientNetwork(address: string | null): string {
  if (address === null) return 'no address';
  if (!address.includes(':')) return address;
  const leading = address.split('::')[0]!.split(':');
  return [0, 1, 2].map((group) => leading[group] || '0').join(':');
}
