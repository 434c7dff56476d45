import dns from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Bulkhead } from '../limits/bulkhead.ts';

/** Finds all addresses of a host name. @throws an error with a `code` of Node, such as `ENOTFOUND` */
export type ResolveName = (host: string) => Promise<string[]>;

const TRY_MS = 1500;
const TRIES = 2;
/** Limit of a DNS query in milliseconds; a stranger's name server could delay its response. */
const MAX_DNS_MS = 4000;
const HOSTS_FILE = '/etc/hosts';

/**
 * Slot for `getaddrinfo`, which blocks one of two threads of the whole process for as long as a name server takes. With
 * two such names, a stranger could keep everybody from connecting. `getaddrinfo` is therefore tried last, and by one
 * lookup at a time.
 */
const systemLookups = new Bulkhead({ max: 1, maxPerCompany: 1, timeoutMs: MAX_DNS_MS });

/**
 * Looks a name up in the hosts file, then in DNS without a thread, then in the system's other sources. A literal
 * address resolves to itself.
 * @param servers name servers to query in place of the system's
 * @throws an error with a `code` of Node, such as `ENOTFOUND`
 */
export async function resolveName(host: string, servers?: readonly string[]): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  const name = host.toLowerCase().replace(/\.$/, '');
  const inHostsFile = await findInHostsFile(name);
  if (inHostsFile.length > 0) return inHostsFile;
  try {
    return await askDns(name, servers);
  } catch (error) {
    const results = await systemLookups.run('', undefined, () => dns.lookup(name, { all: true })).catch(() => []);
    if (results.length > 0) return results.map(({ address }) => address);
    throw error;
  }
}

async function findInHostsFile(name: string): Promise<string[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/));
  return lines.flatMap(([address, ...names]) => (names.includes(name) ? [address!] : []));
}

/** Queries both families, with a new resolver for each name: a reused one would respond from its cache. */
async function askDns(name: string, servers?: readonly string[]): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), MAX_DNS_MS);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw Object.assign(new Error('The name resolves to no address.'), { code: 'ENOTFOUND' });
  } finally {
    clearTimeout(deadline);
  }
}
