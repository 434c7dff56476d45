import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { giveWay } from '../../src/limits/give-way.ts';

test('giveWay reads incoming data before long work continues', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pair = async (): Promise<{ client: Socket; served: Socket }> => {
    const client = connect(port, '127.0.0.1');
    const [served] = (await once(server, 'connection')) as [Socket];
    return { client, served };
  };
  const [worker, other] = [await pair(), await pair()];
  let isRead = false;
  other.served.once('data', () => (isRead = true));
  const done = Promise.withResolvers<boolean>();
  worker.served.once('data', () => {
    other.client.write('x');
    void giveWay().then(() => done.resolve(isRead));
  });
  worker.client.write('x');
  expect(await done.promise).toBe(true);
  for (const { client, served } of [worker, other]) [client, served].forEach((socket) => socket.destroy());
  server.close();
});
