import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../../contract/errors.ts';
import { securityHeaders } from '../response/security-headers.ts';

const LAST_WORDS_MS = 1000;
const CODE: ErrorCode = 'invalid_request';

const failures: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The header of this request is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const UNREADABLE = [400, 'This is no HTTP request that can be read.'] as const;

/** The form that failures have below a path. */
export interface FailureForm {
  /** In lower case, with a slash at its start and none at its end. */
  path: string;
  contentType: string;
  text: (status: number, message: string) => string;
}

const JSON_FORM: FailureForm = {
  path: '',
  contentType: 'application/json; charset=utf-8',
  text: (_status, message) => JSON.stringify({ error: { code: CODE, message, details: [] } }),
};

/** Connections that have had their last words: what else comes on them is the rest of what was refused. */
const leaving = new WeakSet<Socket>();
/** The path of the latest request on each connection. */
const latestPaths = new WeakMap<Socket, string>();

/**
 * Answers what is no HTTP, is too slow or has more header than Node takes, in the shape of every other error, and ends
 * the connection. An expectation that Node does not know is left to `requireProperHead`, as is a missing or second Host:
 * the server must have been made with `requireHostHeader: false`.
 * @param forms of transports with another one than the API
 */
export function answerMalformedRequests(server: Server, forms: readonly FailureForm[] = []): void {
  server.prependListener('request', ({ socket, url }: IncomingMessage) => void latestPaths.set(socket, url ?? ''));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, stream) => {
    const socket = stream as Socket;
    if (leaving.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    leaving.add(socket);
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
    if (isAnswering(socket)) return endBehindAnswer(socket);
    const [status, message] = failures[error.code ?? ''] ?? UNREADABLE;
    const path = (pathIn(error.rawPacket) ?? latestPaths.get(socket) ?? '').toLowerCase();
    const form = forms.find((one) => path === one.path || path.startsWith(`${one.path}/`)) ?? JSON_FORM;
    socket.end(answer(status, form.contentType, form.text(status, message)), () => socket.destroySoon());
  });
}

function answer(status: number, contentType: string, text: string): string {
  const headers = {
    ...Object.fromEntries(securityHeaders().ofEveryAnswer),
    'x-request-id': randomUUID(),
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n');
}

const REQUEST_LINE = /(?:^|\n)[A-Z]+ (\/[^ ?\r\n]*)[^ \r\n]* HTTP\/1\.[01]\r?\n/g;

/** The path of the last request line in what was read. A long header can have come in pieces, of which this is the last. */
function pathIn(bytes: Buffer | undefined): string | undefined {
  return bytes && [...bytes.toString('latin1').matchAll(REQUEST_LINE)].at(-1)?.[1];
}

/** An answer that has begun must not have another one written into it. */
function isAnswering(socket: Socket): boolean {
  return getPendingResponse(socket)?.headersSent ?? false;
}

/** Lets an answer that was given before its request was over reach the client; one that is still being made breaks off. */
function endBehindAnswer(socket: Socket): void {
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
