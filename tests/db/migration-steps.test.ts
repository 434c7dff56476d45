import type { Knex } from 'knex';
import {
  addConstraint,
  createIndexConcurrently,
  dropIndexConcurrently,
  inBatches,
  setNotNull,
} from '../../src/db/migration-steps.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';

let knex: Knex;
beforeAll(async () => {
  knex = openOwnerDatabase(testService.database.ownerUrl);
  await testService.query(`create table parts (shelf text, number integer, name text, name_key text,
    primary key (shelf, number))`);
});
afterAll(() => knex.destroy());
beforeEach(async () => {
  await testService.query('truncate parts');
  await testService.query(`insert into parts
    select 'shelf ' || n % 3, n, 'Part ' || n from generate_series(1, 25) as n`);
});

const setKeys = { table: 'parts', set: 'name_key = lower(name)', where: 'name_key is null', batchRows: 7 };

async function countParts(condition: string): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as count from parts where ${condition}`);
  return row!.count as number;
}

async function indexes(): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select indexrelid::regclass::text as name, indisvalid as valid, indisunique as unique
       from pg_index where indrelid = 'parts'::regclass and not indisprimary`,
  );
}

test('an update in batches changes every row, with at most one batch of rows per transaction', async () => {
  await inBatches(knex, setKeys);
  expect(await countParts('name_key = lower(name)')).toBe(25);
  const transactions = await testService.query('select count(*)::integer as rows from parts group by xmin');
  expect(transactions.map(({ rows }) => rows as number).sort()).toEqual([4, 7, 7, 7]);
});

test('tables of one batch, and empty tables, are updated completely', async () => {
  await inBatches(knex, { ...setKeys, batchRows: 25 });
  expect(await countParts('name_key is null')).toBe(0);
  await testService.query('truncate parts');
  await inBatches(knex, setKeys);
});

test('a failed update in batches keeps its finished batches and resumes from there', async () => {
  await testService.query(`alter table parts add constraint no_tenth check (number <> 10 or name_key is null)`);
  await expect(inBatches(knex, setKeys)).rejects.toMatchObject({ code: '23514' });
  await testService.query('alter table parts drop constraint no_tenth');
  const before = await testService.query('select number, xmin from parts where name_key is not null order by number');
  expect(before.length).toBeGreaterThan(0);
  await inBatches(knex, setKeys);
  expect(await countParts('name_key = lower(name)')).toBe(25);
  const numbers = before.map(({ number }) => number);
  expect(
    await testService.query('select number, xmin from parts where number = any($1) order by number', [numbers]),
  ).toEqual(before);
});

test('rows inserted while the update runs are updated as well', async () => {
  // Each change to a row on the last shelf inserts a row that sorts before the current position.
  await testService.query(`
    create function write_behind() returns trigger language plpgsql as $$ begin
      insert into parts values ('shelf', new.number, 'Behind') on conflict do nothing;
      return new;
    end $$;
    create trigger write_behind after update on parts for each row when (new.shelf = 'shelf 2')
      execute function write_behind()`);
  await inBatches(knex, setKeys);
  await testService.query('drop function write_behind cascade');
  expect(await countParts(`shelf = 'shelf'`)).toBeGreaterThan(0);
  expect(await countParts('name_key is null')).toBe(0);
});

test('a failed index creation leaves an invalid index that the next run recreates; a valid one is kept', async () => {
  const index = { name: 'parts_name', on: 'parts (name)', unique: true };
  await testService.query(`update parts set name = 'Part 1' where number = 2`);
  await expect(createIndexConcurrently(knex, index)).rejects.toMatchObject({ code: '23505' });
  expect(await indexes()).toEqual([{ name: 'parts_name', valid: false, unique: true }]);

  await testService.query(`update parts set name = 'Part 2' where number = 2`);
  await createIndexConcurrently(knex, index);
  expect(await indexes()).toEqual([{ name: 'parts_name', valid: true, unique: true }]);
  await createIndexConcurrently(knex, index);

  await dropIndexConcurrently(knex, 'parts_name');
  await dropIndexConcurrently(knex, 'parts_name');
  expect(await indexes()).toEqual([]);
});

test('an index creation ignores the lock timeout of the session and restores it', async () => {
  const session = openOwnerDatabase(`${testService.database.ownerUrl}?options=-c%20lock_timeout%3D100ms`);
  const reader = openOwnerDatabase(testService.database.ownerUrl);
  try {
    const transaction = await reader.transaction(undefined, { isolationLevel: 'repeatable read' });
    await transaction.raw('select * from parts');
    await transaction.raw('update parts set name = name where number = 1');
    const creation = createIndexConcurrently(session, { name: 'parts_key', on: 'parts (name_key)' });
    setTimeout(() => void transaction.commit(), 600);
    await creation;
    expect(await indexes()).toEqual([{ name: 'parts_key', valid: true, unique: false }]);
    expect((await session.raw('show lock_timeout')).rows).toEqual([{ lock_timeout: '100ms' }]);
  } finally {
    await Promise.all([session.destroy(), reader.destroy()]);
    await dropIndexConcurrently(knex, 'parts_key');
  }
});

test('a violated constraint stays unvalidated, applies to new rows, and is validated by the next run', async () => {
  const add = () => addConstraint(knex, 'parts', 'parts_number', 'check (number < 25)');
  await expect(add()).rejects.toMatchObject({ code: '23514' });
  await expect(testService.query(`insert into parts values ('x', 30, 'y')`)).rejects.toMatchObject({ code: '23514' });
  await testService.query('delete from parts where number = 25');
  await add();
  await add();
  expect(await testService.query(`select convalidated from pg_constraint where conname = 'parts_number'`)).toEqual([
    { convalidated: true },
  ]);
  await testService.query('alter table parts drop constraint parts_number');
});

test('setNotNull works once every row has a value, and leaves no helper constraint', async () => {
  await expect(setNotNull(knex, 'parts', 'name_key')).rejects.toMatchObject({ code: '23514' });
  await inBatches(knex, setKeys);
  await setNotNull(knex, 'parts', 'name_key');
  await setNotNull(knex, 'parts', 'name_key');
  await expect(testService.query(`insert into parts values ('x', 1, 'y')`)).rejects.toMatchObject({ code: '23502' });
  expect(
    await testService.query(`select conname from pg_constraint where conrelid = 'parts'::regclass and contype = 'c'`),
  ).toEqual([]);
  await testService.query('alter table parts alter column name_key drop not null');
});

test('steps that commit as they go cannot run inside a transaction', async () => {
  await knex.transaction(async (transaction) => {
    for (const step of [
      inBatches(transaction, setKeys),
      createIndexConcurrently(transaction, { name: 'parts_name', on: 'parts (name)' }),
      addConstraint(transaction, 'parts', 'parts_number', 'check (true)'),
    ]) {
      await expect(step).rejects.toThrow('config = { transaction: false }');
    }
  });
});
