import { request } from 'node:http';
import { hash } from 'node:crypto';

/** A response of the content host. */
export interface ContentResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface ContentRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Returns the host of a window below `*.localhost`, with the port of the service. */
export function hostOfWindow(token: string): string {
  return `${hash('sha256', `content host ${token}`).slice(0, 32)}.localhost:${new URL(testService.url).port}`;
}

/** Sends a request to the service with another Host header, which `fetch` does not permit. */
export function askHost(host: string, path: string, options: ContentRequest = {}): Promise<ContentResponse> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(testService.url, { path, method, headers: { ...headers, host } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
