import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../logger.ts';

export interface Listening {
  host: string;
  port: number;
  /** What the log says of it. */
  name: string;
  logger: Logger;
}

/** A port that is taken ends the process. */
export function listen(server: Server, { host, port, name, logger }: Listening): void {
  server.on('error', (err) => {
    logger.fatal({ err }, `cannot listen on ${host}:${port}`);
    process.exit(1);
  });
  server.listen(port, host, () => {
    const bound = server.address() as AddressInfo;
    logger.info({ address: bound.address, port: bound.port }, name);
  });
}
