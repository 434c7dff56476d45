import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { type Expected, readExpected } from './calls.ts';
import { captureOutput } from './commands.ts';
import { serveNewerResponses } from './newer-responses.ts';

export interface DemoService {
  /** URL of the service, with the path of its version. */
  url: string;
  key: string;
  /** A file to upload. */
  pdf: string;
  expected: Expected;
}

const root = join(import.meta.dirname, '../..');
const ADDRESS = /The service is ready: +(\S+?)\/v1/;

/** Serves the demo on a separate database while the work runs. */
export async function withDemo<T>(work: (service: DemoService) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-check-'));
  const env = {
    ...process.env,
    PORT: '0',
    DEMO_DATA_FOLDER: join(folder, 'demo'),
    MAIL_FOLDER: join(folder, 'mail'),
    RATE_LIMIT_PER_MINUTE: '6000',
    WEBHOOKS_ALLOW_LOOPBACK: 'yes',
  };
  const child = spawn(process.execPath, ['scripts/demo/run.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      child.kill('SIGTERM');
      process.exit(1);
    });
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    return await serve(await captureOutput('The demo', child, ADDRESS), folder, work);
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  }
}

async function serve<T>(demo: string, folder: string, work: (service: DemoService) => Promise<T>): Promise<T> {
  const document = await PDFDocument.create();
  document.addPage();
  const pdf = join(folder, 'acceptable-use.pdf');
  await writeFile(pdf, await document.save());
  const { url, server } = await serveNewerResponses(demo);
  try {
    const service = { url: `${url}/v1`, key: demoKeys.tenant, pdf };
    return await work({ ...service, expected: await readExpected(service) });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
