// Receives the webhooks of a running demo on this machine, and prints a line for each event, until Ctrl-C.
//   node scripts/demo/receive-webhooks.ts [http://127.0.0.1:3000/v1]
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { runCommand } from '../../src/commands/command.ts';
import { call } from './call.ts';

await runCommand(async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await receive(server);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** Receives and prints events until Ctrl-C. */
async function receive(server: Server): Promise<void> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { id, secret } = await call<{ id: string; secret: string }>('POST', '/webhook-endpoints', { url });
  const webhook = new Webhook(secret);
  server.on('request', (request, response) => {
    void text(request).then((body) => {
      try {
        const event = webhook.verify(body, request.headers as Record<string, string>) as { type: string; data: object };
        response.writeHead(204).end();
        console.log(`verified  ${event.type}  ${JSON.stringify(event.data)}`);
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  console.log(`Receiving the events of the demo's tenant at ${url} until Ctrl-C. First a test event:`);
  await call('POST', `/webhook-endpoints/${id}/test`);
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
  await call('DELETE', `/webhook-endpoints/${id}`);
}
