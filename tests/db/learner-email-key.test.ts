import { companies, id } from '../support/world.ts';

test('an address that differs only in case is refused for a writer that sets no email_key', async () => {
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

test('a wrong email_key is corrected beside an address, and refused without one', async () => {
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
