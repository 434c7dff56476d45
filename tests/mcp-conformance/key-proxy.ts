import { request } from 'node:http';
import { closeServer, listen, type RunningService } from './services.ts';

export interface KeyProxy extends RunningService {
  /** The target of forwarded requests. */
  target: string;
}

/** Adds a key to forwarded requests, for clients that cannot send one. Host and Origin stay unchanged. */
export async function startKeyProxy(key: string): Promise<KeyProxy> {
  const { server, url } = await listen();
  const proxy: KeyProxy = { url, target: '', close: () => closeServer(server) };
  server.on('request', (req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    const sent = request(new URL(req.url!, proxy.target), { method: req.method, headers, setHost: false }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    sent.on('error', () => res.destroy());
    res.on('close', () => sent.destroy());
    req.pipe(sent);
  });
  return proxy;
}
