import { isIP, isIPv4 } from 'node:net';
import { readAddress } from './client-address.ts';
import { readNetwork } from './ip-networks.ts';

/**
 * Returns the network of an IP address: /24 for IPv4, /56 for IPv6. Counting by network counts the requests of a person
 * with many addresses together.
 * @param address null for an unknown client; all unknown clients count together
 */
export function toRateLimitNetwork(address: string | null): string {
  const known = address === null || isIP(address) === 0 ? null : readAddress(address);
  return (known && readNetwork(`${known}/${isIPv4(known) ? 24 : 56}`)) ?? 'unknown';
}
