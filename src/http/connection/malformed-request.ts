import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../contract/errors.ts';
import { securityHeaders } from '../response/security-headers.ts';

const LAST_WORDS_MS = 1000;
const CODE: ErrorCode = 'invalid_request';

const failures: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large; send fewer or shorter ones.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it again.'],
};
const UNREADABLE = [400, 'The request is not valid HTTP.'] as const;

/** The format of errors for the requests below a path. */
export interface FailureForm {
  /** The path in lower case, with a leading slash and without a trailing one. */
  path: string;
  contentType: string;
  text: (status: number, message: string) => string;
}

const JSON_FORM: FailureForm = {
  path: '',
  contentType: 'application/json; charset=utf-8',
  text: (_status, message) => JSON.stringify({ error: { code: CODE, message, details: [] } }),
};

/** Connections whose error response has been sent. Further bytes on them are the rest of the rejected request. */
const leaving = new WeakSet<Socket>();
/** The path of the latest request on each connection. */
const latestPaths = new WeakMap<Socket, string>();

/**
 * Rejects requests that are invalid HTTP (400) or too slow (408), or whose headers are larger than Node accepts (431),
 * in the format of all other errors. Then closes the connection. `requireProperHead` handles an unknown expectation and
 * a missing or second Host, so the server must be created with `requireHostHeader: false`. @param forms error formats
 * of the transports that do not use the API's format
 */
export function respondToMalformedRequests(server: Server, forms: readonly FailureForm[] = []): void {
  server.prependListener('request', ({ socket, url }: IncomingMessage) => void latestPaths.set(socket, url ?? ''));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket;
    if (leaving.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    leaving.add(socket);
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
    if (isResponding(socket)) return endAfterResponse(socket);
    const [status, message] = failures[error.code ?? ''] ?? UNREADABLE;
    const path = (pathIn(error.rawPacket) ?? latestPaths.get(socket) ?? '').toLowerCase();
    const form = forms.find((one) => path === one.path || path.startsWith(`${one.path}/`)) ?? JSON_FORM;
    socket.end(answer(status, form.contentType, form.text(status, message)), () => socket.destroySoon());
  });
}

function answer(status: number, contentType: string, text: string): string {
  const headers = {
    ...Object.fromEntries(securityHeaders().ofEveryResponse),
    'x-request-id': randomUUID(),
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n');
}

const REQUEST_LINE = /(?:^|\n)[A-Z]+ (\/[^ ?\r\n]*)[^ \r\n]* HTTP\/1\.[01]\r?\n/g;

/** Finds the path of the last request line in the bytes. The bytes might be only the last part of a long header. */
function pathIn(bytes: Buffer | undefined): string | undefined {
  return bytes && [...bytes.toString('latin1').matchAll(REQUEST_LINE)].at(-1)?.[1];
}

/** Reports whether a response has begun. No other response must then be written to the socket. */
function isResponding(socket: Socket): boolean {
  return getPendingResponse(socket)?.headersSent ?? false;
}

/**
 * Lets the client receive a response that ended before its request. Aborts a response that is still being written.
 */
function endAfterResponse(socket: Socket): void {
  if (!getPendingResponse(socket)?.writableEnded && !hasLength(getPendingResponse(socket)))
    return void socket.destroy();
  socket.end();
}

function hasLength(res: ServerResponse | undefined): boolean {
  return res?.getHeader('connection') === 'close' && res.hasHeader('content-length');
}

function getPendingResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
}
