// Serves the demo as scripts/demo/run.ts does. After each change in api/, src/ or migrations/ that passes the linter
// and the compiler, it restarts the service. Otherwise it prints the problems with file and line, and the last good
// service continues to run.
//   node scripts/dev/run.ts
// The settings are the demo's, except that DRAIN_TIMEOUT_MS is 500. Ctrl-C ends the command.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { CommandError, runCommand, UsageError } from '../../src/commands/command.ts';
import { findDatabase, prepareDatabase } from '../demo/database.ts';
import { choosePort } from '../demo/port.ts';
import { formatAddress, demoSettings, formatMailUrl } from '../demo/readiness.ts';
import { welcome } from '../demo/welcome.ts';
import { type Build, buildWith } from './build.ts';
import { startChecks } from './checks.ts';
import { ReplaceableService } from './replaceable-service.ts';
import { changesIn } from './watch.ts';

const root = join(import.meta.dirname, '../..');
const WATCHED = ['api', 'src', 'migrations'];

process.env.DRAIN_TIMEOUT_MS ??= '500';
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: node scripts/dev/run.ts');
  if (process.env.NODE_ENV === 'production') throw new CommandError('make dev does not run if NODE_ENV is production.');
  const { host, port, drainTimeoutMs } = readConfig(process.env);
  const settings = { host, port: await choosePort(host, port), drainTimeoutMs };
  const database = await findDatabase(process.env);
  try {
    if (!stopping.signal.aborted) await prepareDatabase(database);
    if (!stopping.signal.aborted) await develop(database, settings);
  } finally {
    await database.close();
  }
});

async function develop(
  database: Awaited<ReturnType<typeof findDatabase>>,
  { host, port, drainTimeoutMs }: { host: string; port: number; drainTimeoutMs: number },
): Promise<void> {
  const { signal } = stopping;
  const changes = changesIn(root, WATCHED, signal);
  const checks = startChecks();
  const base = `${formatAddress(host, port)}/v1`;
  // The restarted service has the same secret, so that AI clients stay connected.
  const env = { OAUTH_SECRET: randomBytes(32).toString('hex'), ...(await demoSettings(database, host, port)) };
  const service = new ReplaceableService({ env, base, drainTimeoutMs });
  signal.addEventListener('abort', () => void service.stop());
  const build = buildWith(checks, database.ownerUrl);
  try {
    report(await build.generate(), 'the contract');
    await service.replace();
    if (await service.isReady()) console.log(await welcome(base, formatMailUrl(env)));
    void checks.types().then((problems) => report(problems, 'the code'));
    console.log(`Watching ${WATCHED.map((folder) => `${folder}/`).join(', ')}.`);
    await serveChanges(changes, build, service);
  } finally {
    stopping.abort();
    await Promise.all([service.stop(), checks.end()]);
  }
}

/** Builds and serves changes until there are no more. */
async function serveChanges(changes: AsyncGenerator<string[]>, build: Build, service: ReplaceableService) {
  let waiting: string[] = [];
  let next = changes.next();
  for (let change = await next; !change.done; change = await next) {
    next = changes.next();
    const startedAt = performance.now();
    waiting = [...new Set([...waiting, ...change.value])];
    const problems = await build.after(waiting);
    if (stopping.signal.aborted) return;
    if (problems.length > 0) {
      report(problems, change.value.join(', '));
      continue;
    }
    await service.replace();
    // A file saved in the meantime might be the one that the service waits for, such as a migration.
    const isServed = await Promise.race([service.isReady(), next.then(() => false)]);
    if (!isServed) continue;
    console.log(`Serving ${waiting.join(', ')} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
    waiting = [];
  }
}

/** Prints problems. Each line begins with file and line, which terminals and editors turn into a link. */
function report(problems: string[], subject: string): void {
  if (problems.length === 0) return;
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  console.error(`\n${problems.join('\n')}\nNot served: ${count} after ${subject}.`);
}
