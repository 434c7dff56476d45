// Measures a directory's change of ten members in a group of 100,000. Exits with 1 if half of the changes occupy a
// connection for more than 50 ms.
//   node tests/bench/directory.ts
import { join } from 'node:path';
import pg from 'pg';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { updateScimGroup } from '../../src/resources/directory/directory-group-handlers.ts';
import { insertCompany, insertLearners } from './dataset.ts';

const COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000030';
const GROUP_ID = '0192a3b4-0000-7000-8000-200000000030';
const MEMBERS = 100_000;
const CHANGED = 10;
const ROUNDS = 100;
const MAX_MS = 50;

const learnerId = (number: number) => `0192a3b4-0000-7000-8000-7${number.toString(16).padStart(11, '0')}`;
const DATABASE = 'bench_directory';
const dataFolder = join(import.meta.dirname, '../../.postgres/bench-directory');
const server = await startEmbeddedPostgres({ dataFolder, durable: true });
const admin = new pg.Client(server.adminUrl);
await admin.connect();
await admin.query(`drop database if exists ${DATABASE} with (force)`);
await admin.query(`create database ${DATABASE} owner awareness_owner`);
await admin.end();
await migrate(server.databaseUrl('owner', DATABASE));
const owner = openOwnerDatabase(server.databaseUrl('owner', DATABASE));
await insertCompany(owner, COMPANY_ID, apiKeyFrom('benchkey0030', Buffer.alloc(32, 30)));
await insertLearners(owner, COMPANY_ID, '7', MEMBERS + CHANGED);
await owner('groups').insert({ company_id: COMPANY_ID, id: GROUP_ID, name: 'Everybody' });
await owner.raw(`insert into group_learners select company_id, ?, id from learners where company_id = ? and id <= ?`, [
  GROUP_ID,
  COMPANY_ID,
  learnerId(MEMBERS),
]);
await owner.raw('insert into event_readers (company_id, own_read_at) values (?, now())', [COMPANY_ID]);
await owner.raw('vacuum analyze');
await owner.destroy();

const pool = new pg.Pool({ connectionString: server.databaseUrl('service', DATABASE), max: 1 });
const tenant = new TenantAccess(pool).ofJob(COMPANY_ID);
const ids = Array.from({ length: CHANGED }, (_, index) => learnerId(MEMBERS + 1 + index));
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const body of [{ addedIds: ids }, { removedIds: ids }]) {
    const startedAt = performance.now();
    await updateScimGroup({ groupId: GROUP_ID, body }, tenant);
    times.push(performance.now() - startedAt);
  }
}
await pool.end();
await server.stop();
const [median, late] = [0.5, 0.95].map((share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!);
console.log(`${CHANGED} of ${MEMBERS} members: median ${median!.toFixed(1)} ms, 95 % within ${late!.toFixed(1)} ms`);
if (median! > MAX_MS) process.exitCode = 1;
