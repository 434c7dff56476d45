import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { type Bearer, bearerToken } from '../auth/bearer-token.ts';
import type { Caller } from '../auth/caller.ts';
import { readText } from '../http/body/body-text.ts';
import { ApiError } from '../contract/errors.ts';
import type { Invoke } from '../operations/invoke.ts';
import type { Logger } from '../observability/logger.ts';
import { isLoopback } from '../config/variables.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { exchange, singleRequest } from './exchange.ts';
import { buildAddresses, SCOPE } from '../http/addresses.ts';
import { allowListed, sendPreflight, isSentTo, methodNotAllowed } from '../http/guards.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { withOrigin } from '../http/request-context.ts';
import { PlainCalls, sendResult } from './plain-call.ts';
import type { CreateServer } from './server.ts';
import { createCallTool } from './tool-call.ts';
import { sendWebResponse, toWebRequest } from './web-messages.ts';

/** Limit of a request body. Tool calls are short; a larger body would need a slot of a body bulkhead, as in the API. */
const MAX_BODY_BYTES = 64 * 1024;

/** Request and response headers that pages of other origins can use. */
const SENT_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID';
const READ_HEADERS = 'WWW-Authenticate, Mcp-Session-Id, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

export interface McpEndpointOptions {
  /** URL of the service as seen from outside. */
  publicUrl: string;
  /** Origins, in addition to the service's own, whose pages can call the endpoint; `*` for any. */
  corsOrigins: readonly string[];
  invoke: Invoke;
  logger: Logger;
  metrics: Pick<Metrics, 'toolCall'>;
  createServer: CreateServer;
  /** Whether `createServer` creates a server that only runs our tools, so that calls can bypass the library. */
  hasPlainCalls: boolean;
  /** Finds the caller of a token or key; undefined if it is malformed, unknown, expired or revoked. */
  findBearer(token: string): Promise<Bearer | undefined>;
  countFailure: CountRequest;
  /** Counts a call against the key's limit. @throws {ApiError} `rate_limited`, with `Retry-After`, if none is left */
  takeCall: (keyId: string) => void;
}

/** Handles a request to the tool server, and passes its caller to `onCaller`. */
export type McpEndpoint = (req: Request, res: Response, onCaller: (caller: Caller) => void) => Promise<void>;

/** Data that the calls of a batch share, in addition to the authentication of the request. */
interface Extra extends Record<string, unknown> {
  caller: Caller;
  takeCall: () => void;
}

/** Creates the tool server: streamable HTTP without sessions, so any replica can handle any request. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { publicUrl, corsOrigins } = options;
  const answer = createResponder(options);
  const here = new URL(publicUrl);
  const challenge = `Bearer resource_metadata="${buildAddresses(publicUrl).resourceMetadata}", scope="${SCOPE}"`;

  return async (req, res, onCaller) => {
    try {
      requireHost(req, here);
      const isListed = allowListed(req, res, corsOrigins);
      if (!isListed) requireOrigin(req, here);
      else if (req.method === 'OPTIONS') return sendPreflight(res, 'POST', SENT_HEADERS);
      else res.set('Access-Control-Expose-Headers', READ_HEADERS);
      if (req.method !== 'POST') throw methodNotAllowed(['POST']);
      const token = bearerToken(req.headers.authorization);
      const bearer = token === undefined ? undefined : await options.findBearer(token);
      if (!bearer) {
        if (token !== undefined) await options.countFailure(req, res);
        const error = token === undefined ? '' : ', error="invalid_token"';
        throw new ApiError(
          'unauthorized',
          'The token is missing or invalid; send an access token from this server or an API key as a bearer token.',
          {
            headers: { 'WWW-Authenticate': challenge + error },
          },
        );
      }
      const caller = withOrigin(bearer.caller, req, res);
      onCaller(caller);
      options.takeCall(caller.keyId);
      await answer(req, res, { ...bearer, caller });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      refuse(res, thrown);
    }
  };
}

/** Creates the handler of authenticated requests. */
function createResponder({ invoke, logger, metrics, createServer, hasPlainCalls, takeCall }: McpEndpointOptions) {
  const callTool = createCallTool({ invoke, logger, metrics });
  const plainCalls = hasPlainCalls ? new PlainCalls() : undefined;
  const serverFor = ({ extra }: AuthInfo) => createServer({ callTool, ...(extra as Extra) });
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo!), {
    legacy: 'stateless',
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (err) => logger.debug({ err }, 'tool server error'),
  });
  return async (req: Request, res: Response, bearer: Bearer): Promise<void> => {
    const text = await readText(req, MAX_BODY_BYTES);
    if (text === undefined) return;
    const parsedBody = parse(text);
    const call = plainCalls?.find(req, parsedBody);
    const result = call && (await callTool({ ...call, caller: bearer.caller }));
    if (call && result) return sendResult(res, call, result);
    const authInfo = buildAuthInfo(bearer, takeCall);
    const request = singleRequest(req, parsedBody);
    if (request) {
      const onResult = () => plainCalls?.recordServed(req, request);
      return exchange(serverFor(authInfo), request, { res, authInfo, onResult });
    }
    // The library responds to a body that is not JSON.
    const [body, given] = parsedBody === undefined ? [text, { authInfo }] : [undefined, { authInfo, parsedBody }];
    await sendWebResponse(await handler.fetch(toWebRequest(req, body), given), res);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Builds the library's authentication data. The request itself was counted as a call, so its first tool call is not
 * counted.
 */
function buildAuthInfo({ caller, clientId, expiresAt }: Bearer, takeCall: (keyId: string) => void): AuthInfo {
  let isPaid = true;
  const takeCallAfterFirst = () => {
    if (!isPaid) takeCall(caller.keyId);
    isPaid = false;
  };
  const extra: Extra = { caller, takeCall: takeCallAfterFirst };
  const expiry = expiresAt && { expiresAt: Math.floor(expiresAt.getTime() / 1000) };
  return { token: 'redacted', clientId, scopes: [SCOPE], ...expiry, extra };
}

/** Requires our host; a different host indicates DNS rebinding. Behind trusted proxies, X-Forwarded-Host counts. */
function requireHost(req: Request, { origin }: URL): void {
  if (isSentTo(origin, req, isSamePlace)) return;
  throw new ApiError('forbidden', `The Host header does not name this tool server; send the request to ${origin}.`);
}

function requireOrigin(req: Request, { origin }: URL): void {
  if (req.headers.origin === undefined || isSamePlace(req.headers.origin, origin)) return;
  throw new ApiError(
    'forbidden',
    `Pages of this origin cannot call the tool server; call it from a program or from ${origin}.`,
  );
}

/** Compares two origins. All names for loopback are the same host if the scheme and the port match. */
function isSamePlace(sent: string, own: string): boolean {
  if (sent === own) return true;
  if (!URL.canParse(sent)) return false;
  const [a, b] = [new URL(sent), new URL(own)];
  return a.origin === sent && a.protocol === b.protocol && a.port === b.port && isLoopback(a) && isLoopback(b);
}

/** Sends an error as JSON-RPC, which clients of the protocol read, regardless of their Accept header. */
function refuse(res: Response, error: ApiError): void {
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: error.message, data: { code: error.code } },
  };
  res.statusCode = error.status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify(body));
}
