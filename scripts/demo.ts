// Serves the demo in one command: a database, its schema, its rows, the service.
//   node scripts/demo.ts               on an embedded Postgres, whose data stay in .postgres/demo
// Messages are written to .mail, or to MAIL_FOLDER, unless SMTP_URL names a server.
// DEMO_DATA_FOLDER puts the data elsewhere; DATABASE_URL and DATABASE_OWNER_URL take a database of your own. PORT (3000,
// 0 for any free one), HOST, LOG_LEVEL (warn) and the other settings of the service reach it. Ctrl-C ends it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { CommandError, runCommand, UsageError } from './command.ts';
import { type DemoDatabase, findDatabase, prepareDatabase } from './demo/database.ts';
import { choosePort } from './demo/port.ts';
import { type Service, startService } from './demo/service.ts';
import { welcome } from './demo/welcome.ts';

const READY_PATIENCE_MS = 60_000;
const MAIL_FOLDER = join(import.meta.dirname, '../.mail');

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: node scripts/demo.ts');
  if (process.env.NODE_ENV === 'production')
    throw new CommandError('The demo does not run when NODE_ENV is production.');
  // The address is not known yet where there is none: any will do to have the rest checked.
  const config = readConfig({ ...process.env, DATABASE_URL: process.env.DATABASE_URL || 'postgres://localhost' });
  const port = await choosePort(config.host, config.port);
  const database = await findDatabase(process.env);
  try {
    if (!stopping.signal.aborted) await prepareDatabase(database);
    if (!stopping.signal.aborted) process.exitCode = await serve(database, config.host, port, config.drainTimeoutMs);
  } finally {
    await database.close();
  }
});

/** Runs the service until it ends or is to stop, and gives its exit code. */
async function serve(database: DemoDatabase, host: string, port: number, drainTimeoutMs: number): Promise<number> {
  const address = addressOf(host, port);
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn', PUBLIC_URL: address, MAIL_FOLDER, ...process.env };
  const own = { DATABASE_URL: database.serviceUrl, DATABASE_OWNER_URL: undefined, HOST: host, PORT: String(port) };
  const service = startService({ ...env, ...own });
  const stop = () => service.stop(drainTimeoutMs);
  stopping.signal.addEventListener('abort', stop);
  if (stopping.signal.aborted) stop();
  try {
    const base = `${address}/v1`;
    const mail = env.SMTP_URL ? 'handed to the server of SMTP_URL' : `written to ${env.MAIL_FOLDER}`;
    if (await isReady(service, base)) console.log(await welcome(base, mail));
    return await service.ended;
  } finally {
    stop();
    await service.ended;
  }
}

function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Waits for the service; false when it ends before it is ready. */
async function isReady(service: Service, base: string): Promise<boolean> {
  let ended = false;
  void service.ended.then(() => (ended = true));
  const deadline = Date.now() + READY_PATIENCE_MS;
  while (!ended && Date.now() < deadline) {
    const answer = await fetch(`${base}/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) return true;
    await Promise.race([service.ended, sleep(100)]);
  }
  if (ended) return false;
  throw new CommandError(`The service is not ready after ${READY_PATIENCE_MS / 1000} seconds: its log says why.`);
}
