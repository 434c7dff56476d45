import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failed } from './commands.ts';
import type { Delivery } from './deliveries.ts';

const START_MS = 30_000;

interface Started {
  command: readonly [string, ...string[]];
  folder: string;
  secret: string;
}

/** Runs a receiver while the work posts to it. Returns the result of the work and the output of the receiver. */
export async function withReceiver<T>(
  { command: [program, ...args], folder, secret }: Started,
  work: (post: (delivery: Pick<Delivery, 'headers' | 'body'>) => Promise<number>) => Promise<T>,
): Promise<{ answers: T; said: string }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  const post = async ({ headers, body }: Pick<Delivery, 'headers' | 'body'>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: new Uint8Array(body) });
    await answer.arrayBuffer();
    return answer.status;
  };
  let answers: T;
  try {
    for (const begun = Date.now(); ; await sleep(50)) {
      const status = await post({ headers: {}, body: Buffer.from('{}') }).catch(() => undefined);
      if (status !== undefined) break;
      if (child.exitCode !== null || Date.now() - begun > START_MS) throw new Failed(`does not start:\n${said}`);
    }
    answers = await work(post);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
  return { answers, said };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
