import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { CommandError } from '../../src/commands/command.ts';

export interface DemoService {
  /** Where the service is, without a path. */
  url: string;
  key: string;
  /** What a client has to say after it has read the company, its learners, and a learner that does not exist. */
  expected: string;
}

const root = join(import.meta.dirname, '../..');

/** Serves the demo on a database of its own while the work lasts. */
export async function withDemo<T>(work: (service: DemoService) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-check-'));
  const env = { ...process.env, PORT: '0', DEMO_DATA_FOLDER: join(folder, 'demo'), MAIL_FOLDER: join(folder, 'mail') };
  const child = spawn(process.execPath, ['scripts/demo/run.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      child.kill('SIGTERM');
      process.exit(1);
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      const listen = (chunk: Buffer) => {
        said += chunk.toString();
        const address = /The service is ready: +(\S+?)\/v1/.exec(said)?.[1];
        if (address) resolve(address);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', listen);
      child.once('close', () => reject(new CommandError(`The demo has ended:\n${said}`)));
    });
    return await work({ url, key: demoKeys.tenant, expected: await readExpected(url, demoKeys.tenant) });
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  }
}

async function readExpected(url: string, key: string): Promise<string> {
  const read = async (path: string) => {
    const answer = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: unknown }).data;
  };
  const company = (await read('/company')) as { name: string };
  const learners = (await read('/learners')) as unknown[];
  return `${company.name}: ${learners.length} learners; not_found`;
}
