import { connect, type Socket } from 'node:net';
import { type Answer, send } from '../../support/client.ts';
import { type KeyName, keys } from '../../support/world.ts';
import { ONE_PAGE, pdfOf } from './pdf-samples.ts';

export const UPLOAD = '/policies/upload';
export const BOUNDARY = 'the-boundary';
export const onePage = pdfOf(ONE_PAGE);

export interface Upload {
  key?: KeyName;
  type?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** Uploads raw bytes. */
export function upload(
  bytes: Uint8Array,
  { key = 'tenant', type = 'application/pdf', path = UPLOAD, headers = {} }: Upload = {},
): Promise<Answer> {
  const given = { authorization: `Bearer ${keys[key]}`, ...(type && { 'content-type': type }), ...headers };
  return send('POST', path, { body: bytes, headers: given });
}

/** Builds a form part; `disposition` follows `form-data` in its Content-Disposition header. */
export function part(disposition: string, content: Buffer | string, type = 'application/pdf'): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(content), Buffer.from('\r\n')]);
}

export const formEnd = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Uploads a form with the given parts. */
export function uploadForm(parts: Buffer[], options: Upload = {}): Promise<Answer> {
  return upload(Buffer.concat([...parts, formEnd]), { type: `multipart/form-data; boundary=${BOUNDARY}`, ...options });
}

/** Uploads a file in a form with a raw file name parameter, such as `filename="a.pdf"`. */
export function uploadNamed(fileName: string, key: KeyName = 'tenant'): Promise<Answer> {
  return uploadForm([part(`; name="file"; ${fileName}`, onePage)], { key });
}

export interface OpenUpload {
  socket: Socket;
  /** Head of the response and any part of the body received with it. */
  answer: Promise<string>;
}

/** Sends the head of an upload and the given part of its body. */
export function openUpload(
  headers: string[],
  body: Buffer | string = '',
  key: KeyName | null = 'tenant',
  path = UPLOAD,
): OpenUpload {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  const all = ['Host: test', ...(key ? [`Authorization: Bearer ${keys[key]}`] : []), ...headers];
  socket.write(`POST /v1${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return { socket, answer };
}

/** Returns the result of a promise, or `late` if it takes longer than the given time. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), milliseconds)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
