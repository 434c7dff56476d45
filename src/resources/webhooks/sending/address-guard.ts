import { isIP } from 'node:net';
import { allowPublicAnd } from '../../../outbound/networks.ts';

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const MAX_LENGTH = 2000;

/** The operator's rules on where webhooks can be sent. */
export interface AddressRules {
  /** Allowed ports in addition to 443. */
  ports: readonly number[];
  /** Host names of this service, which are rejected. */
  ownHosts: readonly string[];
  /** Allowed networks that are not public. If the list is not empty, host names of local networks are accepted. */
  allowedNetworks: readonly string[];
  /** Whether loopback addresses are allowed, with http and any port; only for the demo. */
  allowsLoopback: boolean;
}

/**
 * Checks the URL of an endpoint when it is saved, so that most mistakes are reported at once. The connector checks each
 * connection again, because host names are resolved only then.
 * @returns the reason to reject the URL, worded to follow the field name; undefined if the URL is accepted
 */
export function judgeAddress(text: string, rules: AddressRules): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > MAX_LENGTH) return `must be an https address of at most ${MAX_LENGTH} characters`;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (url.username || url.password) return 'must not have a user name or a password';
  if (url.hash) return 'must not have a fragment';
  if (rules.allowsLoopback && isLoopback(host)) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  const port = Number(url.port || 443);
  if (port !== 443 && !rules.ports.includes(port))
    return `must use one of the ports ${[443, ...rules.ports].join(', ')}`;
  if (rules.ownHosts.includes(host)) return 'must not be an address of this service';
  if (isIP(host) !== 0) {
    return allowPublicAnd(rules.allowedNetworks)(host) ? undefined : 'must not be a local address';
  }
  const isLocal = LOCAL_NAME.test(host) || !host.includes('.');
  return isLocal && rules.allowedNetworks.length === 0 ? 'must have a public host name' : undefined;
}

function isLoopback(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : /^(127\.|::1$)/.test(host);
}
