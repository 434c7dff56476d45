import pg from 'pg';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { distributeDatabase } from '../../src/commands/distribute/distribute.ts';
import { createWorld } from './world.ts';

/** Creates the run's empty template database, after dropping the databases of killed runs. */
export async function createTemplate(): Promise<void> {
  await administer(async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^(template|test)_[0-9]+' `,
    );
    for (const { datname } of rows) {
      if (!isRunning(Number(datname.split('_')[1])))
        await admin.query(`drop database if exists ${datname} with (force)`);
    }
    // Tests inspect and terminate the service's connections.
    await admin.query('grant pg_read_all_stats, pg_signal_backend to awareness_owner');
    await admin.query(`create database ${template()} owner awareness_owner`);
  });
}

/** Migrates the template, distributes it on Citus, and fills it with the test world. */
export async function fillTemplate(): Promise<void> {
  await migrate(process.env.TEST_TEMPLATE_OWNER_URL!);
  if (workerUrls().length > 0) await distributeDatabase(process.env.TEST_TEMPLATE_OWNER_URL!);
  const database = openOwnerDatabase(process.env.TEST_TEMPLATE_OWNER_URL!);
  try {
    await createWorld(database);
  } finally {
    await database.destroy();
  }
}

/** Templates that a clone of the test world becomes, each with the function that fills it. Few test files need them. */
const TEMPLATES = {
  /** The demo instead of the test world. */
  demo: async ({ ownerUrl, serviceUrl }: TestDatabase) => {
    const database = openOwnerDatabase(ownerUrl);
    try {
      await database.raw('truncate companies, file_contents cascade');
      const { seedDemo } = await import('../../seeds/demo.ts');
      await seedDemo(database, serviceUrl);
    } finally {
      await database.destroy();
    }
  },
  /** The test world with a large company, and statistics. */
  grown: async ({ name }: TestDatabase) => {
    const { growTenant } = await import('../db/large-company.ts');
    await growTenant(name);
  },
};

/** Returns the name of a template by its kind; the test world if undefined. The first call of a run creates it. */
export async function templateOf(kind: string | undefined): Promise<string> {
  if (kind === undefined) return template();
  const fill = TEMPLATES[kind as keyof typeof TEMPLATES];
  const name = `${template()}_${kind}`;
  await administer(async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await admin.query('select from pg_database where datname = $1', [name])).rowCount) return;
    const clone = await cloneDatabase();
    await fill(clone);
    if (workerUrls().length > 0) await freezeDatabase(clone.name);
    await onEachNode(`alter database ${clone.name} rename to ${name}`);
  });
  return name;
}

export async function dropTemplates(): Promise<void> {
  for (const kind of Object.keys(TEMPLATES)) await dropDatabase(`${template()}_${kind}`);
  await dropDatabase(template());
}

export interface TestDatabase {
  name: string;
  ownerUrl: string;
  serviceUrl: string;
}

let made = 0;

/** Clones a template file by file, which takes a third of the time of a clone through the write-ahead log. */
export async function cloneDatabase(source = template()): Promise<TestDatabase> {
  made += 1;
  const name = `test_${process.env.TEST_TEMPLATE!.split('_')[1]}_${process.pid}_${made}`;
  await onEachNode(`create database ${name} template ${source} owner awareness_owner strategy file_copy`);
  return {
    name,
    ownerUrl: process.env.TEST_TEMPLATE_OWNER_URL!.replace(template(), name),
    serviceUrl: process.env.TEST_TEMPLATE_SERVICE_URL!.replace(template(), name),
  };
}

export async function dropDatabase(name: string): Promise<void> {
  if (workerUrls().length > 0) await freezeDatabase(name);
  await onEachNode(`drop database if exists ${name} with (force)`);
}

/** Closes a database to all connections, so that it can be cloned or dropped. Citus keeps connections open. */
export async function freezeDatabase(name: string): Promise<void> {
  await onEachNode(`update pg_database set datallowconn = false where datname = '${name}'`);
  await onEachNode(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
}

function template(): string {
  return process.env.TEST_TEMPLATE!;
}

/** Returns the URLs of Citus's worker nodes; an empty list on plain Postgres. */
function workerUrls(): string[] {
  return process.env.TEST_WORKER_URLS?.split(' ') ?? [];
}

async function onEachNode(statement: string): Promise<void> {
  for (const url of [process.env.TEST_ADMIN_URL!, ...workerUrls()]) {
    await administer((admin) => admin.query(statement), url);
  }
}

async function administer(
  work: (admin: pg.Client) => Promise<unknown>,
  url = process.env.TEST_ADMIN_URL,
): Promise<void> {
  const admin = new pg.Client(url);
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
