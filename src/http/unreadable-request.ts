import type { Server } from 'node:http';
import { ApiError } from '../errors.ts';

/** Answers what is no HTTP, or has more header than Node takes, in the shape of every other error. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const { code, message } = new ApiError(
      'invalid_request',
      tooLarge ? 'The header of this request is too large.' : 'This is no HTTP request that can be read.',
    );
    const text = JSON.stringify({ error: { code, message } });
    const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const type = 'Content-Type: application/json; charset=utf-8';
    const head = `HTTP/1.1 ${status}\r\n${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
    socket.end(`${head}\r\n\r\n${text}`);
  });
}
