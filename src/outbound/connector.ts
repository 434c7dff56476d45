// Every request that leaves the process goes through a connector, which keeps strangers from reaching what only this
// machine can reach: itself, its neighbours, the metadata of its cloud.
//
// A name proves nothing: whoever owns it can let it lead anywhere, and elsewhere the next moment. So the connector
//
// 1. resolves the name itself, to all of its addresses;
// 2. refuses the name if one of them is not allowed. A receiver of the internet has no private address beside its public
//    ones, and a refusal that came and went with the order of addresses would help nobody to find the mistake;
// 3. connects to these addresses only: the system resolves nothing again, and whichever address answers first was judged;
// 4. looks at the address at the other end before TLS or HTTP writes the first byte, and again before each request on a
//    connection that was kept.
//
// TLS goes by the name, for SNI and for the certificate. Redirects are not followed, and proxies of the environment are not
// used: a proxy would resolve the name again.
//
// Node has an option for this, `blockList`. Node 24.21 honours it in `net` and `http`, and ignores it in `tls` and `https`.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { isIP, type LookupFunction, type Socket } from 'node:net';
import { allowPublicAnd, type IsAllowed } from './networks.ts';
import { type ResolveName, resolveName } from './resolve-name.ts';

/** Sent with every request: common firewalls answer 403 to requests without it. */
const USER_AGENT = 'security-awareness-program-service';
const MAX_CONNECT_MS = 15_000;
/** Time for one address before the next one is tried. Node's own, 250 ms, is less than some round trips. */
const NEXT_ADDRESS_MS = 1000;

export interface ConnectorOptions {
  /** Networks that are connected to although they are not public, such as `10.20.0.0/16`. */
  allowedNetworks?: readonly string[];
  /** Hosts that the operator has set, which are connected to wherever they lead. No stranger may name a host here. */
  trustedHosts?: readonly string[];
  /** How long a connection waits for the next request; closed after each unless given. */
  keepAliveMs?: number;
  resolve?: ResolveName;
  /** The authorities that certificates are checked against, in PEM; those of Node unless given. */
  ca?: string;
}

export interface RequestOptions {
  method?: 'GET' | 'POST';
  headers: http.OutgoingHttpHeaders;
  /** Bounds the whole exchange. */
  signal: AbortSignal;
}

/** Begins a request. The caller ends it. */
export type Connector = (url: string | URL, options: RequestOptions) => http.ClientRequest;

/** The host has an address that is not allowed. */
export class RefusedAddressError extends Error {
  readonly code = 'ERR_REFUSED_ADDRESS';

  constructor() {
    super('The host leads to an address that is not allowed.');
  }
}

export function createConnector(options: ConnectorOptions = {}): Connector {
  const { keepAliveMs, ca } = options;
  // Agents of its own: the global ones may take a proxy from the environment.
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

/** Makes an agent connect to allowed addresses only. */
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
      // The socket ends after the request, whose error would else be that of the socket.
      request.once('close', () => socket.destroy()).destroy(new RefusedAddressError());
    },
  });
}

/** Connects to a host, whose addresses are judged before and after. @throws {RefusedAddressError} and errors of Node */
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

/** Stands in for the system's lookup: it gives the addresses that were judged, and asks nobody. */
function giving(addresses: readonly string[]): LookupFunction {
  const results = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, answer) => {
    if (all === true) answer(null, results);
    else answer(null, results[0]!.address, results[0]!.family);
  };
}
