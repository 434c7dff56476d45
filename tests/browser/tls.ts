import { createHash, X509Certificate } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import type { Browser } from 'playwright-core';
import { Authority } from '../support/certificates.ts';
import { launch } from './browser.ts';

export interface BrowserOverTls {
  browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts a proxy that terminates TLS with a certificate for the names, and a browser that reaches the names through it
 * on port 443. A name can begin with `*.`.
 */
export async function launchOverTls(...names: string[]): Promise<BrowserOverTls> {
  const certificate = await (
    await Authority.create()
  ).certify(...names.map((value) => ({ type: 'dns' as const, value })));
  const proxy = createServer(certificate, (socket) => {
    const upstream = connect(Number(new URL(testService.url).port), '127.0.0.1');
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const publicKey = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' });
  const browser = await launch([
    `--host-resolver-rules=${names.map((name) => `MAP ${name}:443 127.0.0.1:${port}`).join(', ')}`,
    // Without certificate errors, pages are secure contexts, as in production.
    `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
  ]);
  const close = async () => {
    await browser.close();
    await new Promise((resolve) => proxy.close(resolve));
  };
  return { browser, close };
}
