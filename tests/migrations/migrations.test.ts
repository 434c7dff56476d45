import { readFileSync } from 'node:fs';
import { dumpSchema } from '../../scripts/dump-schema.ts';
import { openOwner } from '../support/databases.ts';

test('up, down and up again give the committed schema', async () => {
  const committed = readFileSync('generated/schema.sql', 'utf8');
  const { ownerUrl } = testService.database;
  const knex = openOwner(ownerUrl);
  try {
    await knex.migrate.rollback(undefined, true);
    const [left] = await testService.query(`select count(*)::integer as tables from pg_tables
      where schemaname = 'public' and tablename not like 'knex%'`);
    expect(left).toEqual({ tables: 0 });
    await knex.migrate.latest();
    expect(await dumpSchema(ownerUrl)).toBe(committed);
  } finally {
    await knex.destroy();
  }
});
