import { readFileSync } from 'node:fs';
import { migrate, rollBack } from '../../src/commands/database.ts';
import { dumpSchema } from '../../scripts/generate/dump-schema.ts';

test('migrating up, down and up again yields the committed schema', async () => {
  const { ownerUrl } = testService.database;
  await rollBack(ownerUrl, Infinity);
  const [left] = await testService.query(`select count(*)::integer as tables from pg_tables
    where schemaname = 'public' and tablename not like 'knex%'`);
  expect(left).toEqual({ tables: 0 });
  await migrate(ownerUrl);
  expect(await dumpSchema(ownerUrl)).toBe(readFileSync('generated/schema.sql', 'utf8'));
});
