import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** An IP address with or without a port: `203.0.113.8:51234`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;
const IPV4_MAPPED = '::ffff:';

/**
 * Parses an IP address in any spelling that proxies use: with a port, in brackets or quotes, with a zone, in upper
 * case, or IPv4 mapped to IPv6. Returns its canonical spelling, so that two spellings of an address become equal
 * strings: IPv4 as such, IPv6 as in RFC 5952, without a zone.
 * @returns null for any other string, such as `unknown` and `_hidden`, and for leading zeros, which some systems read
 * as octal
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

/**
 * Parses the first IP address of a list. In a list that proxies create, the first address belongs to the client.
 * @returns as `readAddress` does
 */
export function readFirstAddress(list: string): string | null {
  return readAddress(splitEntries(list)[0] ?? '');
}

/** The parts of a request that show its origin. */
export interface RequestSource {
  socketAddress: string | undefined;
  /** All X-Forwarded-For headers, joined by commas. */
  forwardedFor: string | undefined;
  /**
   * The number of proxies in front of the service. Each proxy adds an entry; clients can make up entries further left.
   */
  hops: number;
}

/**
 * Finds the IP address of a client: with n proxies, the n-th entry from the right, or the leftmost entry if the header
 * has fewer. Without a proxy or an entry, the socket's address counts.
 * @returns null if the entry is invalid; the other entries cannot be trusted either
 */
export function clientAddress({ socketAddress, forwardedFor, hops }: RequestSource): string | null {
  const entries = hops > 0 ? splitEntries(forwardedFor ?? '') : [];
  return readAddress(entries.at(-hops) ?? entries[0] ?? socketAddress ?? '');
}

/** Splits a list, without its empty entries (RFC 9110, section 5.6.1). */
function splitEntries(list: string): string[] {
  return list.split(',').filter((entry) => entry.trim() !== '');
}

/**
 * Returns the first 48 bits of a canonical IPv6 address, because a client usually controls a whole network of this
 * size. Returns an IPv4 address unchanged. All unknown addresses share one key.
 */
export function toClientNetwork(address: string | null): string {
  if (address === null) return 'no address';
  if (!address.includes(':')) return address;
  const leading = address.split('::')[0]!.split(':');
  return [0, 1, 2].map((group) => leading[group] || '0').join(':');
}
