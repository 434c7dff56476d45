import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../observability/logger.ts';

export interface Listening {
  host: string;
  port: number;
  /** The log message once the server listens. */
  name: string;
  logger: Logger;
}

/** Resolves once the server listens. An error, such as a port in use, ends the process. */
export async function listen(server: Server, { host, port, name, logger }: Listening): Promise<void> {
  server.on('error', (err) => {
    logger.fatal({ err, host, port }, 'cannot listen');
    process.exit(1);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  logger.info({ address: bound.address, port: bound.port }, name);
}
