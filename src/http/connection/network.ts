import { isIP, isIPv4 } from 'node:net';
import { ipKeyGenerator } from 'express-rate-limit';

/**
 * Returns the network of an address: /24 for IPv4, /56 for IPv6. Counting by network counts the requests of a person
 * with many addresses together.
 * @param address null for an unknown client; all unknown clients count together
 */
export function toRateLimitNetwork(address: string | null): string {
  if (address === null || isIP(address) === 0) return 'unknown';
  const counted = ipKeyGenerator(address, 56);
  return isIPv4(counted) ? counted.replace(/\d+$/, '0/24') : counted;
}
