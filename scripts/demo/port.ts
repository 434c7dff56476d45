import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../src/commands/command.ts';

/** Time for the service of a killed demo to notice and free its port. */
const TIMEOUT_MS = 3000;

/**
 * Returns the port if it is free, or any free port for 0.
 * @throws if another program holds the port
 */
export async function choosePort(host: string, port: number): Promise<number> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(100)) {
    try {
      return await tryPort(host, port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw new CommandError(`The demo cannot listen on ${host}:${port} (${code}).`);
      if (Date.now() > deadline) {
        throw new CommandError(
          `Port ${port} is in use; stop the program that listens there, or set PORT to another port.`,
        );
      }
    }
  }
}

function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });
}
