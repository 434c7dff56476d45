import { BlockList, isIP } from 'node:net';
import type { DnsRecords } from './dns-records.ts';

/**
 * Maximum number of terms that need a DNS lookup, in a record and the records that it includes (RFC 7208, section
 * 4.6.4).
 */
const MAX_LOOKUPS = 10;

/** The servers that the SPF record of a domain allows, together with the records that it includes. */
export interface Spf {
  /** The record; undefined if the domain has none. */
  record: string | undefined;
  /** Problems of the record, with the change that solves each. */
  problems: string[];
  /** Reports whether the record allows an IP address to send. */
  allows: (address: string) => boolean;
}

interface Reading {
  dns: DnsRecords;
  lookups: number;
  allowed: BlockList;
  problems: string[];
}

/** Reads the SPF record of a domain and the records that it includes. */
export async function readSpf(dns: DnsRecords, domain: string): Promise<Spf> {
  const reading: Reading = { dns, lookups: 0, allowed: new BlockList(), problems: [] };
  const record = await readRecord(reading, domain);
  if (reading.lookups > MAX_LOOKUPS) {
    reading.problems.push(
      `the SPF record of ${domain} needs ${reading.lookups} DNS lookups, but receivers allow ${MAX_LOOKUPS}; remove includes`,
    );
  }
  if (record !== undefined && !/\s[-~]all\b|\sredirect=/i.test(record)) {
    reading.problems.push(`the SPF record of ${domain} does not end in ~all or -all; end it in ~all`);
  }
  const allows = (address: string) => reading.allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return { record, problems: reading.problems, allows };
}

async function readRecord(reading: Reading, domain: string): Promise<string | undefined> {
  const records = (await reading.dns.texts(domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
  if (records.length > 1) reading.problems.push(`${domain} has ${records.length} SPF records; merge them into one`);
  const [record] = records;
  for (const term of record?.split(/\s+/).slice(1) ?? []) await readTerm(reading, domain, term);
  return record;
}

async function readTerm(reading: Reading, domain: string, term: string): Promise<void> {
  const [, sign = '', name = '', value] = /^([-~?+]?)([a-z0-9]+)(?:[:=]([^/\s]+.*|.+))?/i.exec(term) ?? [];
  const mechanism = name.toLowerCase();
  if (!['include', 'redirect', 'a', 'mx', 'ptr', 'exists'].includes(mechanism)) {
    if (/^ip[46]$/.test(mechanism) && /^\+?$/.test(sign)) allow(reading, value ?? '');
    return;
  }
  reading.lookups += 1;
  // Stops records that include each other in a loop.
  if (reading.lookups > 2 * MAX_LOOKUPS) return;
  const target = value?.replace(/\/.*$/, '') ?? domain;
  if (mechanism === 'include' || mechanism === 'redirect') {
    if ((await readRecord(reading, target)) === undefined)
      reading.problems.push(`the SPF record of ${domain} includes ${target}, which has no SPF record; remove it`);
    return;
  }
  if (mechanism !== 'a' && mechanism !== 'mx') return;
  const hosts = mechanism === 'mx' ? await reading.dns.exchanges(target) : [target];
  for (const host of hosts) for (const address of await reading.dns.addresses(host)) allow(reading, address);
}

/** Adds an IP address or a network. Skips invalid ones, which receivers reject. */
function allow({ allowed }: Reading, value: string): void {
  const [address = '', bits] = value.split('/');
  const family = isIP(address);
  if (family === 0) return;
  const max = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? max : Number(bits);
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= max) {
    allowed.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
}
