// Serves the demo in one command: a database, its schema, its rows and the service.
//   node scripts/demo/run.ts               on an embedded Postgres, which keeps its data in .postgres/demo
// Messages are written to .mail, or to MAIL_FOLDER, unless SMTP_URL names a server. DEMO_DATA_FOLDER moves the data;
// DATABASE_URL and DATABASE_OWNER_URL name another database. PORT (3000, 0 for any free port), HOST, LOG_LEVEL (warn)
// and the other settings are passed to the service. Ctrl-C ends the demo.
import { readConfig } from '../../src/config/config.ts';
import { CommandError, runCommand, UsageError } from '../../src/commands/command.ts';
import { type DemoDatabase, findDatabase, prepareDatabase } from './database.ts';
import { choosePort } from './port.ts';
import { formatAddress, demoSettings, isReady, formatMailUrl } from './readiness.ts';
import { startService } from './service.ts';
import { welcome } from './welcome.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: node scripts/demo/run.ts');
  if (process.env.NODE_ENV === 'production') throw new CommandError('The demo does not run if NODE_ENV is production.');
  const config = readConfig(process.env);
  const port = await choosePort(config.host, config.port);
  const database = await findDatabase(process.env).catch((error: unknown) => {
    // Ctrl-C also ends child processes that are still in our process group, so the start of Postgres fails.
    if (!stopping.signal.aborted) throw error;
  });
  if (!database) return;
  try {
    if (!stopping.signal.aborted) await prepareDatabase(database);
    if (!stopping.signal.aborted) process.exitCode = await serve(database, config.host, port, config.drainTimeoutMs);
  } finally {
    await database.close();
  }
});

/** Runs the service until it ends or must stop. Returns its exit code. */
async function serve(database: DemoDatabase, host: string, port: number, drainTimeoutMs: number): Promise<number> {
  const settings = await demoSettings(database, host, port);
  const service = startService(settings);
  const stop = () => service.stop(drainTimeoutMs);
  stopping.signal.addEventListener('abort', stop);
  if (stopping.signal.aborted) stop();
  try {
    const base = `${formatAddress(host, port)}/v1`;
    if (await isReady(service, base)) console.log(await welcome(base, formatMailUrl(settings)));
    return await service.ended;
  } finally {
    stop();
    await service.ended;
  }
}
