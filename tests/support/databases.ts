import pg from 'pg';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { createWorld } from './world.ts';

/** Makes the template: migrated, with the test world in it. What a killed run left behind is dropped first. */
export async function createTemplate(): Promise<void> {
  await administer(async (admin) => {
    const { rows } = await admin.query<{ datname: string }>(
      `select datname from pg_database where datname ~ '^(template|test)_[0-9]+' `,
    );
    for (const { datname } of rows) {
      if (!isRunning(Number(datname.split('_')[1])))
        await admin.query(`drop database if exists ${datname} with (force)`);
    }
    // Tests look at the service's connections, and break some.
    await admin.query('grant pg_read_all_stats, pg_signal_backend to awareness_owner');
    await admin.query(`create database ${template()} owner awareness_owner`);
  });
  await migrate(process.env.TEST_TEMPLATE_OWNER_URL!);
  const database = openOwnerDatabase(process.env.TEST_TEMPLATE_OWNER_URL!);
  try {
    await createWorld(database);
  } finally {
    await database.destroy();
  }
}

/** Makes another template once in a run, the first time that it is asked for: the demo instead of the test world. */
export async function demoTemplate(): Promise<string> {
  const name = `${template()}_demo`;
  await administer(async (admin) => {
    await admin.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await admin.query('select from pg_database where datname = $1', [name])).rowCount) return;
    const { name: seeded, ownerUrl } = await cloneDatabase();
    const database = openOwnerDatabase(ownerUrl);
    try {
      await database.raw('truncate companies, file_contents cascade');
      // Loaded here alone: most runs of some files do without.
      const { seedDemo } = await import('../../seeds/demo.ts');
      await seedDemo(database);
    } finally {
      await database.destroy();
    }
    await admin.query(`alter database ${seeded} rename to ${name}`);
  });
  return name;
}

export async function dropTemplates(): Promise<void> {
  await dropDatabase(`${template()}_demo`);
  await dropDatabase(template());
}

export interface TestDatabase {
  name: string;
  ownerUrl: string;
  serviceUrl: string;
}

let made = 0;

/** A copy of a template; as files, which takes a third of the time that its write-ahead log would. */
export async function cloneDatabase(source = template()): Promise<TestDatabase> {
  made += 1;
  const name = `test_${process.env.TEST_TEMPLATE!.split('_')[1]}_${process.pid}_${made}`;
  await administer((admin) =>
    admin.query(`create database ${name} template ${source} owner awareness_owner strategy file_copy`),
  );
  return {
    name,
    ownerUrl: process.env.TEST_TEMPLATE_OWNER_URL!.replace(template(), name),
    serviceUrl: process.env.TEST_TEMPLATE_SERVICE_URL!.replace(template(), name),
  };
}

export async function dropDatabase(name: string): Promise<void> {
  await administer((admin) => admin.query(`drop database if exists ${name} with (force)`));
}

function template(): string {
  return process.env.TEST_TEMPLATE!;
}

async function administer(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(process.env.TEST_ADMIN_URL);
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
