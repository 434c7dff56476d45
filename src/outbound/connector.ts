// Every request that leaves the process goes through a connector, which keeps strangers from reaching IP addresses that
// only this machine can reach: itself, its neighbours, the metadata service of its cloud.
//
// A host name proves nothing: its owner can point it anywhere, and somewhere else a moment later. So the connector
//
// 1. resolves the name itself, to all of its addresses;
// 2. rejects the name if one of the addresses is not allowed. A receiver on the internet has no private address next to
//    its public ones, and an error that depended on the order of addresses would be hard to diagnose;
// 3. connects only to these addresses: the system resolves nothing again, and whichever address responds first was
//    checked;
// 4. checks the address at the other end before TLS or HTTP writes the first byte, and again before each request on a
//    reused connection.
//
// TLS uses the name, for SNI and for the certificate. Redirects are not followed, and proxies of the environment are
// not used: a proxy would resolve the name again.
//
// Node's option for this, `blockList`, is not sufficient: Node 24.21 honours it in `net` and `http`, and ignores it in
// `tls` and `https`.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { isIP, type LookupFunction, type Socket } from 'node:net';
import { allowPublicAnd, type IsAllowed } from './networks.ts';
import { type ResolveName, resolveName } from './resolve-name.ts';

/** User agent of every request; common firewalls reject requests without a user agent with 403. */
const USER_AGENT = 'security-awareness-program-service';
const MAX_CONNECT_MS = 15_000;
/** Time to connect to one address before trying the next. Node's default, 250 ms, is shorter than some round trips. */
const NEXT_ADDRESS_MS = 1000;

export interface ConnectorOptions {
  /** Networks that are allowed although they are not public, such as `10.20.0.0/16`. */
  allowedNetworks?: readonly string[];
  /** Hosts that the operator has set. They are allowed at any IP address, so strangers must not be able to set them. */
  trustedHosts?: readonly string[];
  /** Time for which a connection waits for the next request. By default, a connection closes after each request. */
  keepAliveMs?: number;
  resolve?: ResolveName;
  /** Certificate authorities to trust, in PEM; by default, Node's own list. */
  ca?: string;
}

export interface RequestOptions {
  method?: 'GET' | 'POST';
  headers: http.OutgoingHttpHeaders;
  /** Aborts the whole exchange. */
  signal: AbortSignal;
}

/** Begins a request, which the caller must end. */
export type Connector = (url: string | URL, options: RequestOptions) => http.ClientRequest;

/** Error about a host with an address that is not allowed. */
export class RefusedAddressError extends Error {
  readonly code = 'ERR_REFUSED_ADDRESS';

  constructor() {
    super('The host resolves to an address that is not allowed.');
  }
}

export function createConnector(options: ConnectorOptions = {}): Connector {
  const { keepAliveMs, ca } = options;
  // Separate agents, because the global ones might use a proxy from the environment.
  const keepAliveOptions = keepAliveMs === undefined ? {} : { keepAlive: true, timeout: keepAliveMs };
  const plain = guard(new http.Agent(keepAliveOptions), options);
  const secure = guard(new https.Agent({ ...keepAliveOptions, ...(ca !== undefined && { ca }) }), options);
  return (url, { headers, ...rest }) => {
    const isSecure = new URL(url).protocol === 'https:';
    const all = { ...rest, headers: { 'user-agent': USER_AGENT, ...headers } };
    return isSecure ? https.request(url, { ...all, agent: secure }) : http.request(url, { ...all, agent: plain });
  };
}

interface Target {
  host: string;
  port: number;
  keepAlive?: boolean;
}

/** Restricts an agent to allowed addresses. */
function guard<Agent extends http.Agent>(agent: Agent, options: ConnectorOptions): Agent {
  const { trustedHosts = [], resolve = resolveName, allowedNetworks = [] } = options;
  const isAllowedByAddress = allowPublicAnd(allowedNetworks);
  const selectRule = (host: string): IsAllowed => (trustedHosts.includes(host) ? () => true : isAllowedByAddress);
  const rules = new WeakMap<object, IsAllowed>();
  const encrypt = agent instanceof https.Agent ? agent.createConnection.bind(agent) : undefined;
  const reuse = agent.reuseSocket.bind(agent);

  return Object.assign(agent, {
    createConnection(target: Target, done: (error: Error | null, socket?: object) => void): void {
      const isAllowed = selectRule(target.host);
      const opened = open(target, isAllowed, resolve).then((socket) => {
        try {
          const connection = encrypt?.({ ...target, socket } as https.RequestOptions) ?? socket;
          rules.set(connection, isAllowed);
          return connection;
        } catch (error) {
          socket.destroy();
          throw error;
        }
      });
      opened.then((connection) => done(null, connection), done);
    },

    reuseSocket(socket: Socket, request: http.ClientRequest): void {
      reuse(socket, request);
      if (isAllowedAt(socket, rules.get(socket))) return;
      // Destroys the socket after the request; otherwise the request would fail with the socket's error.
      request.once('close', () => socket.destroy()).destroy(new RefusedAddressError());
    },
  });
}

/**
 * Connects to a host. Checks its addresses before and after connecting.
 * @throws {RefusedAddressError} and errors of Node
 */
async function open({ host, port, keepAlive }: Target, isAllowed: IsAllowed, resolve: ResolveName): Promise<Socket> {
  const addresses = await resolve(host);
  if (!addresses.every(isAllowed)) throw new RefusedAddressError();
  const socket = net.connect({
    ...{ host, port, noDelay: true, keepAlive: keepAlive === true },
    lookup: giving(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(MAX_CONNECT_MS) });
    if (!isAllowedAt(socket, isAllowed)) throw new RefusedAddressError();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function isAllowedAt({ remoteAddress = '' }: Socket, isAllowed: IsAllowed | undefined): boolean {
  return isAllowed?.(remoteAddress) === true;
}

/** Creates a lookup that replaces the system's: it returns the addresses that were checked, without a query. */
function giving(addresses: readonly string[]): LookupFunction {
  const results = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, answer) => {
    if (all === true) answer(null, results);
    else answer(null, results[0]!.address, results[0]!.family);
  };
}
