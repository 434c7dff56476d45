import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Receiver {
  url: string;
  stop(): void;
}

/** Accepts every event and reports its learner immediately. */
export async function startReceiver(onLearner: (learnerId: string) => void): Promise<Receiver> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { data } = JSON.parse(body) as { data: { learnerId?: string } };
      if (data.learnerId !== undefined) onLearner(data.learnerId);
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
