import { BlockList, isIP } from 'node:net';

/** Networks that are no place of a customer's: this machine and its neighbours, and ways to write them otherwise. */
const REFUSED = {
  ipv4: [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
    ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ...['224.0.0.0/4', '240.0.0.0/4'],
  ],
  ipv6: [
    // Loopback, and IPv4 written in IPv6: compatible, translated, NAT64, 6to4 and Teredo. Mapped addresses are judged as IPv4.
    ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32'],
    // Local, link, multicast, discard, documentation and segment routing.
    ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '100::/64', '2001:db8::/32', '3fff::/20', '5f00::/16'],
  ],
};

const LOOPBACK = { ipv4: ['127.0.0.0/8'], ipv6: ['::1/128'] };
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const MAX_LENGTH = 2000;

/** What the operator lets webhooks be sent to. */
export interface AddressRules {
  /** The ports besides 443. */
  ports: readonly number[];
  /** The host names of this service, which are refused. */
  ownHosts: readonly string[];
  /** Lets addresses of this machine pass, by http too and on any port: for the demo alone. */
  allowsLoopback: boolean;
}

/**
 * The addresses that a connection must not be made to. It is given to the connection (`blockList` of `net.connect` and
 * `https.request`), which looks at the address that it connects to: whatever the name was resolved to, however often, and
 * for literal addresses, which are never looked up.
 */
export function refusedAddresses({ allowsLoopback }: Pick<AddressRules, 'allowsLoopback'>): BlockList {
  const loopback = listOf(LOOPBACK);
  if (!allowsLoopback) return listOf(REFUSED);
  const check = (list: BlockList) => (address: string, family?: 'ipv4' | 'ipv6') => list.check(address, family);
  const refused = listOf(REFUSED);
  const [isRefused, isLoopback] = [check(refused), check(loopback)];
  return Object.assign(new BlockList(), {
    check: (address: string, family?: 'ipv4' | 'ipv6') => isRefused(address, family) && !isLoopback(address, family),
  });
}

function listOf(networks: typeof REFUSED): BlockList {
  const list = new BlockList();
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const network of networks[family]) {
      const [address, prefix] = network.split('/') as [string, string];
      list.addSubnet(address, Number(prefix), family);
    }
  }
  return list;
}

/**
 * Judges the address of an endpoint when it is entered, so that most mistakes are told at once. What it lets pass is judged
 * again by each connection.
 * @returns why it is refused, to be read after the field's name; undefined when it is not
 */
export function judgeAddress(text: string, rules: AddressRules): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > MAX_LENGTH) return `must be an https address of at most ${MAX_LENGTH} characters`;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (url.username || url.password) return 'must have no user and no password';
  if (url.hash) return 'must have no fragment';
  if (rules.allowsLoopback && isLoopback(host)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  const port = Number(url.port || 443);
  if (port !== 443 && !rules.ports.includes(port))
    return `must have one of the ports ${[443, ...rules.ports].join(', ')}`;
  if (rules.ownHosts.includes(host)) return 'must not be an address of this service';
  const family = isIP(host);
  if (family === 0) {
    return LOCAL_NAME.test(host) || !host.includes('.') ? 'must have a host name of the internet' : undefined;
  }
  return listOf(REFUSED).check(host, family === 4 ? 'ipv4' : 'ipv6') ? 'must not be a local address' : undefined;
}

function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === 'localhost';
  return listOf(LOOPBACK).check(host, family === 4 ? 'ipv4' : 'ipv6');
}
