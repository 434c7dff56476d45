import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AuthInfo,
  classifyInboundRequest,
  isJsonContentType,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
  ProtocolErrorCode,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';

const CURRENT = '2026-07-28';
/** The protocol versions that we accept. */
export const REVISIONS = [...SUPPORTED_PROTOCOL_VERSIONS, CURRENT];

/** A valid request with its protocol revision. */
export interface SingleRequest {
  request: JSONRPCRequest;
  classification: MessageClassification;
}

/**
 * Returns the request in a body if the body is a single valid request: any request of revisions up to 2025-11-25, or a
 * tool call of revision 2026-07-28. Returns undefined for batches, notifications, other requests and invalid ones,
 * which the library handles.
 */
export function singleRequest({ method = '', headers }: IncomingMessage, body: unknown): SingleRequest | undefined {
  const [version, mcpMethod, mcpName] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) =>
    headers[name]?.toString(),
  );
  if (!isJsonContentType(headers['content-type'])) return undefined;
  const route = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(mcpMethod !== undefined && { mcpMethodHeader: mcpMethod }),
  });
  const request = body as JSONRPCRequest;
  if (route.kind === 'legacy') {
    const isRequest = route.reason === 'no-claim' || route.reason === 'initialize';
    const isSpoken = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
    return isRequest && isSpoken && takesBoth(headers.accept)
      ? { request, classification: { era: 'legacy' } }
      : undefined;
  }
  if (route.kind === 'reject' || route.messageKind !== 'request') return undefined;
  if (version !== CURRENT || mcpMethod !== 'tools/call') return undefined;
  const isNamed = mcpName !== undefined && mcpName === request.params?.name;
  return isNamed ? { request, classification: route.classification } : undefined;
}

function takesBoth(accept = ''): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

/** The HTTP response to a request, and the request's authentication. */
export interface Exchange {
  res: ServerResponse;
  authInfo: AuthInfo;
  /** Called if the response is a result, not a protocol error. */
  onResult: () => void;
}

/**
 * Lets a server process one request. The library's own transport, with web streams and messages, takes as much time as
 * the rest of the call. Our transport sends a single piece of JSON, unless the server sends another message first.
 */
export async function exchange(
  server: Server,
  { request, classification }: SingleRequest,
  { res, authInfo, onResult }: Exchange,
): Promise<void> {
  const transport = new ResponseTransport(res, classification, onResult);
  await server.connect(transport);
  res.once('close', () => {
    if (!res.writableFinished) void server.close();
  });
  const isCurrent = classification.era === 'modern';
  transport.onmessage!(request, { authInfo, ...(isCurrent && { classification }) });
}

/** The only server error to which the protocol assigns an HTTP status. */
const MISSING_CAPABILITY: number = ProtocolErrorCode.MissingRequiredClientCapability;

/** The transport of one request. Its base class passes the protocol revision to the server. */
class ResponseTransport extends PerRequestHTTPServerTransport {
  readonly #res: ServerResponse;
  readonly #onResult: () => void;

  constructor(res: ServerResponse, classification: MessageClassification, onResult: () => void) {
    super({ classification });
    this.#res = res;
    this.#onResult = onResult;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    const res = this.#res;
    const text = JSON.stringify(message);
    const isError = isJSONRPCErrorResponse(message);
    const isResult = isJSONRPCResultResponse(message);
    const isAnswer = isError || isResult;
    if (isResult) this.#onResult();
    if (isAnswer && !res.headersSent) {
      if (isError && message.error.code === MISSING_CAPABILITY) res.statusCode = 400;
      res.setHeader('Content-Type', 'application/json').end(text);
      return Promise.resolve();
    }
    if (!res.headersSent) res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    res.write(`event: message\ndata: ${text}\n\n`);
    if (isAnswer) res.end();
    return Promise.resolve();
  }

  override close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
