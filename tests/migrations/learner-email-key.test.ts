import type { Knex } from 'knex';
import { down, up } from '../../migrations/20261122165000_add_learner_email_key.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { companies, id } from '../support/world.ts';

let knex: Knex;
beforeAll(() => (knex = openOwnerDatabase(testService.database.ownerUrl)));
afterAll(() => knex.destroy());

/** Everything about the table that the migration changes, and the rows that it has got wrong. */
async function stateOfLearners(): Promise<unknown[]> {
  const schema = await testService.query(`
    select attname as name, attnotnull::text as definition from pg_attribute
     where attrelid = 'learners'::regclass and attnum > 0 and not attisdropped
    union all select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'learners'::regclass
    union all select tgname, pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'learners'::regclass and not tgisinternal
    union all select indexrelid::regclass::text, indisvalid || pg_get_indexdef(indexrelid) from pg_index
               where indrelid = 'learners'::regclass
    order by 1, 2`);
  const hasKey = schema.some(({ name }) => name === 'email_key');
  if (!hasKey) return schema;
  return [
    ...schema,
    ...(await testService.query('select id from learners where email_key is distinct from lower(email)')),
  ];
}

/** Ends as a process would that is killed after so many statements. */
function killedAfter(statements: number): Knex {
  let left = statements;
  return new Proxy(knex, {
    get(target, name) {
      if (name === 'raw' && left-- <= 0) throw new Error('killed');
      return Reflect.get(target, name, target) as unknown;
    },
  });
}

/** Kills a step after its first statement, its second and so on, each time from the start, and lets it run again. */
async function killEverywhere(
  step: (knex: Knex) => Promise<void>,
  back: (knex: Knex) => Promise<void>,
): Promise<number> {
  await step(knex);
  const expected = await stateOfLearners();
  for (let statements = 0; ; statements++) {
    await back(knex);
    const killed = await step(killedAfter(statements)).then(
      () => false,
      (error: Error) => error.message === 'killed',
    );
    await step(knex);
    expect(await stateOfLearners()).toEqual(expected);
    if (!killed) return statements;
  }
}

test('killed after any of its statements, it is run again and gives the same table, up and down', async () => {
  expect(await killEverywhere(down, up)).toBeGreaterThan(3);
  expect(await killEverywhere(up, down)).toBeGreaterThan(6);
});

test('an address in other letters is taken also for a writer that knows nothing of the column', async () => {
  const insert = (number: number, email: string) =>
    testService.query(
      `insert into learners (company_id, id, email, first_name, last_name) values ($1, $2, $3, 'A', 'B')`,
      [companies.tenant, id('d', number), email],
    );
  await insert(1, 'Ada.New@tenant.test');
  await expect(insert(2, 'ada.NEW@tenant.test')).rejects.toMatchObject({ constraint: 'learners_email' });
  await testService.query(`update learners set email = 'Eve@tenant.test' where id = $1`, [id('d', 1)]);
  const [row] = await testService.query('select email_key from learners where id = $1', [id('d', 1)]);
  expect(row).toEqual({ email_key: 'eve@tenant.test' });
});

test('a key that is not of the address is put right, and refused where it comes alone', async () => {
  await testService.query(
    `insert into learners (company_id, id, email, email_key, first_name, last_name)
     values ($1, $2, 'Max@tenant.test', 'other@tenant.test', 'A', 'B')`,
    [companies.tenant, id('d', 3)],
  );
  const [row] = await testService.query('select email_key from learners where id = $1', [id('d', 3)]);
  expect(row).toEqual({ email_key: 'max@tenant.test' });
  await expect(
    testService.query(`update learners set email_key = 'x' where id = $1`, [id('d', 3)]),
  ).rejects.toMatchObject({ constraint: 'learners_email_key_check' });
});
