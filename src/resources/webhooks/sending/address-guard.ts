import { isIP } from 'node:net';
import { allowPublicAnd } from '../../../outbound/networks.ts';

const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1'];
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;
const MAX_LENGTH = 2000;

/** What the operator lets webhooks be sent to. */
export interface AddressRules {
  /** The ports besides 443. */
  ports: readonly number[];
  /** The host names of this service, which are refused. */
  ownHosts: readonly string[];
  /** Networks that are allowed although they are not public. Names of a local network are accepted if there are any. */
  allowedNetworks: readonly string[];
  /** Lets addresses of this machine pass, by http too and on any port: for the demo alone. */
  allowsLoopback: boolean;
}

/** The networks that webhooks are sent to beside the internet. */
export function networksBesideInternet({ allowedNetworks, allowsLoopback }: AddressRules): string[] {
  return [...allowedNetworks, ...(allowsLoopback ? LOOPBACK_NETWORKS : [])];
}

/**
 * Judges the address of an endpoint when it is entered, so that most mistakes are reported at once. The connector judges
 * each connection again: only then is it known where a name leads.
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
  if (isIP(host) !== 0) {
    return allowPublicAnd(rules.allowedNetworks)(host) ? undefined : 'must not be a local address';
  }
  const isLocal = LOCAL_NAME.test(host) || !host.includes('.');
  return isLocal && rules.allowedNetworks.length === 0 ? 'must have a host name of the internet' : undefined;
}

function isLoopback(host: string): boolean {
  return isIP(host) === 0 ? host === 'localhost' : /^(127\.|::1$)/.test(host);
}
