import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A response as the service sent it, and its decoded body. */
export interface Encoded {
  status: number;
  headers: IncomingHttpHeaders;
  /** Length of the encoded body. */
  sentBytes: number;
  text: string;
}

/** Requests a path, and decodes the body by its `Content-Encoding`. */
export async function requestEncoded(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Encoded> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(testService.url + path, { method, headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  const body = await buffer(response);
  const { 'content-encoding': encoding } = response.headers;
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
  const text = body.length === 0 ? '' : decode(body).toString();
  return { status: response.statusCode!, headers: response.headers, sentBytes: body.length, text };
}
