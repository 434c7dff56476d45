import { isIP } from 'node:net';
import { ConfigError, type Env, listed } from './variables.ts';

/** Minimum prefix lengths: the largest private networks are `10.0.0.0/8` and `fc00::/7`. */
const MIN_PREFIX = { 4: 8, 6: 7 };

/** Reads networks, each an IP address with or without a prefix length. @throws {ConfigError} */
export function networks(env: Env, name: string): string[] {
  const values = listed(env, name);
  const wrong = values.find((value) => !isNetwork(value));
  if (wrong === undefined) return values;
  throw new ConfigError(
    `${name} must be a comma-separated list of networks such as 10.20.0.0/16, fd12:3456::/32 or 192.168.7.9, ` +
      `each at most as large as 10.0.0.0/8 or fc00::/7 and without bits after its prefix; ${wrong} is invalid`,
  );
}

function isNetwork(value: string): boolean {
  const [, address = '', length] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(value) ?? [];
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || isMapped(address)) return false;
  const bits = toAddressBits(address);
  const prefix = length === undefined ? bits.length : Number(length);
  return prefix >= MIN_PREFIX[family] && prefix <= bits.length && !bits.slice(prefix).includes('1');
}

/** Reports whether an IP address is an IPv4 address mapped to IPv6. */
export function isMapped(address: string): boolean {
  return isIP(address) === 6 && parseAddressNumbers(address).slice(0, 6).join(':') === '0:0:0:0:0:65535';
}

/** Returns the four bytes of an IPv4 address, or the eight groups of an IPv6 address without a zone. */
export function parseAddressNumbers(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number);
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => parseInt(group, 16));
}

function toAddressBits(address: string): string {
  const numbers = parseAddressNumbers(address);
  const width = numbers.length === 4 ? 8 : 16;
  return numbers.map((number) => number.toString(2).padStart(width, '0')).join('');
}
