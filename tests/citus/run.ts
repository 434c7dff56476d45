// Compares the service on Citus with the service on plain Postgres, and runs tests there.
//   node tests/citus/run.ts                 all of it, with the tests that can run there
//   node tests/citus/run.ts --no-tests      only the comparison
//   node tests/citus/run.ts tests/db        only the tests of these files
// CITUS_BIN names the folder of an installation's initdb; the default is that of `pg_config` on the path. Without Citus
// the run is skipped with a message.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_COMPANIES } from '../../seeds/demo-companies.ts';
import { seedDemo } from '../../seeds/demo.ts';
import { companyId } from '../../seeds/demo-ids.ts';
import { CommandError, runCommand } from '../../src/commands/command.ts';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { distributeDatabase } from '../../src/commands/distribute/distribute.ts';
import { choosePort } from '../../scripts/demo/port.ts';
import { formatAddress, isReady } from '../../scripts/demo/readiness.ts';
import { type Service, startService } from '../../scripts/demo/service.ts';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { CitusCluster } from './cluster.ts';
import { findCitus } from './find-citus.ts';
import { findStrays } from './one-node.ts';
import { findForeignRows } from './own-rows.ts';
import { compareReads } from './read-all.ts';
import { LEFT_OUT, SUITE } from './suite.ts';

const DATABASE = 'awareness';
const HOST = '127.0.0.1';
const DRAIN_MS = 2000;

await runCommand(async () => {
  const bin = findCitus(process.env);
  if (!bin) {
    console.log('SKIPPED: Citus is not installed here. CITUS_BIN names the folder of its initdb, such as');
    console.log('CITUS_BIN=/usr/lib/postgresql/17/bin. Nothing was checked.');
    return;
  }
  const asked = process.argv.slice(2);
  const files = asked.filter((one) => one !== '--no-tests');
  if (files.length === 0) await compare(bin);
  if (files.length === asked.length) await runSuite(bin, files);
});

async function compare(bin: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-check-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    console.log('starting three nodes of Citus, and a plain Postgres ...');
    const cluster = await CitusCluster.start(bin, join(folder, 'citus'));
    ends.unshift(() => cluster.stop());
    await cluster.createDatabase(DATABASE);
    const plain = await startEmbeddedPostgres({ dataFolder: join(folder, 'plain'), durable: false });
    ends.unshift(() => plain.stop());
    await migrate(plain.ownerUrl);
    await seed(plain.ownerUrl, plain.serviceUrl);
    const ownerUrl = cluster.url('awareness_owner', DATABASE);
    await migrate(ownerUrl);
    await distributeTwice(ownerUrl);
    const serviceUrl = cluster.url('awareness_service', DATABASE);
    await seed(ownerUrl, serviceUrl);
    await judgeStatements(serviceUrl);
    const [here, there] = [await serve(plain.serviceUrl, folder), await serve(serviceUrl, folder)];
    ends.unshift(here.end, there.end);
    await judgeReads(here.address, there.address);
  } finally {
    for (const end of ends) await end();
  }
}

async function distributeTwice(ownerUrl: string): Promise<void> {
  await distributeDatabase(ownerUrl, (line) => console.log(`  ${line}`));
  const said: string[] = [];
  await distributeDatabase(ownerUrl, (line) => said.push(line));
  if (!said.join().startsWith('nothing to do')) throw new CommandError(`Distributing again did ${said.join(', ')}.`);
}

async function seed(ownerUrl: string, serviceUrl: string): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  try {
    await seedDemo(owner, serviceUrl);
  } finally {
    await owner.destroy();
  }
}

async function judgeStatements(serviceUrl: string): Promise<void> {
  const strays = await findStrays(serviceUrl);
  if (strays.length > 0) throw new CommandError(`Not on one shard:\n${strays.join('\n')}`);
  console.log('each statement about one company goes to one shard');
  const foreign = await findForeignRows(serviceUrl, DEMO_COMPANIES.map(companyId));
  if (foreign.length > 0) throw new CommandError(`Row-level security lets through:\n${foreign.join('\n')}`);
  console.log('row-level security shows each company its own rows alone, and nobody else any');
}

async function judgeReads(here: string, there: string): Promise<void> {
  const { calls, different } = await compareReads(here, there);
  if (different.length > 0)
    throw new CommandError(`${different.length} of ${calls} answers differ:\n${different.join('\n')}`);
  console.log(`all ${calls} answers to GET, of every caller of the demo, are those of plain Postgres`);
}

async function serve(databaseUrl: string, folder: string): Promise<{ address: string; end: () => Promise<unknown> }> {
  const port = await choosePort(HOST, 0);
  const address = formatAddress(HOST, port);
  const own = {
    DATABASE_URL: databaseUrl,
    DATABASE_OWNER_URL: undefined,
    HOST,
    PORT: String(port),
    PUBLIC_URL: address,
  };
  const more = {
    MAIL_FOLDER: join(folder, 'mail'),
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '100000',
    HTTP_PROCESSES: undefined,
  };
  const service: Service = startService({ ...process.env, ...own, ...more });
  const end = async () => {
    service.stop(DRAIN_MS);
    return service.ended;
  };
  if (!(await isReady(service, `${address}/v1`))) throw new CommandError('The service ended before it was ready.');
  return { address, end };
}

/** Runs tests on a distributed database. Each file gets a copy of it on all nodes. */
async function runSuite(bin: string, files: string[]): Promise<void> {
  for (const [reason, left] of Object.entries(LEFT_OUT))
    console.log(`left out, since it ${reason}: ${left.join(', ')}`);
  const env = { ...process.env, TEST_CITUS_BIN: bin };
  const left = Object.values(LEFT_OUT)
    .flat()
    .map((file) => `--testPathIgnorePatterns=${file}`);
  const asked = files.length > 0 ? files : [...SUITE];
  const jest = spawn('node_modules/.bin/jest', [...asked, ...left], { env, stdio: 'inherit' });
  const [code] = (await once(jest, 'exit')) as [number | null];
  if (code !== 0) throw new CommandError('Tests failed on Citus.', code ?? 1);
}
