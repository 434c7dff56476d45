import { companies, id } from '../support/world.ts';

test('a duplicate address in another case is rejected even if the writer sets no email_key', async () => {
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

test('a wrong email_key is corrected when the address is set, and rejected otherwise', async () => {
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
