import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../errors.ts';

const LAST_WORDS_MS = 1000;
const CODE: ErrorCode = 'invalid_request';

const statusOfFailure: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The header of this request is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};
const UNREADABLE = ['400 Bad Request', 'This is no HTTP request that can be read.'] as const;

/**
 * Answers what is no HTTP, is too slow or has more header than Node takes, in the shape of every other error, and ends
 * the connection.
 */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, message] = statusOfFailure[error.code ?? ''] ?? UNREADABLE;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket as Socket)) return void socket.destroy();
    const text = JSON.stringify({ error: { code: CODE, message, details: [] } });
    const type = 'Content-Type: application/json; charset=utf-8';
    const head = `HTTP/1.1 ${status}\r\n${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
    socket.end(`${head}\r\n\r\n${text}`, () => socket.destroy());
  });
}

/** An answer that has begun must not have another one written into it. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage } = socket as Socket & { _httpMessage?: ServerResponse };
  return _httpMessage?.headersSent ?? false;
}
