import { createServer, type Server } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import type { Logger } from '../logger.ts';
import { type QueueWatch, watchQueue } from './watch-queue.ts';

export interface MetricsServerOptions extends QueueWatch {
  /** Registry of this process. The server adds metrics of the queue. */
  registry: Registry;
  /** Returns the metrics of other processes, as text in Prometheus' format. */
  others?: () => Promise<string>;
  logger: Logger;
}

/**
 * Creates a server for only `GET /metrics`, so that the public port does not expose the metrics. Only a process with
 * this server reads the queue.
 */
export function serveMetrics(options: MetricsServerOptions): Server {
  const { registry, logger, others = () => Promise.resolve('') } = options;
  watchQueue(registry, options);
  return createServer((req, res) => {
    const end = (status: number, text: string, headers: Record<string, string> = {}) => {
      res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }).end(text);
    };
    if (req.url?.split('?')[0] !== '/metrics') return end(404, 'Not found; the metrics are at /metrics.\n');
    if (req.method !== 'GET') return end(405, 'Method not allowed; send GET.\n', { Allow: 'GET' });
    Promise.all([registry.metrics(), others()]).then(
      (texts) => end(200, texts.filter(Boolean).join('\n'), { 'Content-Type': registry.contentType }),
      (err: unknown) => {
        logger.error({ err }, 'collecting metrics failed');
        end(500, 'The metrics could not be collected.\n');
      },
    );
  });
}
