import { del, get, post } from '../../support/client.ts';
import { companies, groupId } from '../../support/world.ts';
import { forgetNewLearners } from '../tenant-state.ts';

const undo = (id: string) => post(`/learner-imports/${id}/undo`);
const find = async (name: string) => (await get(`/learners?email=${name}@new.test`)).body.data[0];

/** Imports new learners, and returns the id of the import. */
async function imported(names: string[]): Promise<string> {
  const rows = names.map((name) => [`${name}@new.test`, name]);
  const { id } = (await post('/learner-imports', { columns: ['Email', 'First name'], rows })).body.data;
  expect((await post(`/learner-imports/${id}/apply`)).status).toBe(200);
  return id;
}

afterEach(async () => {
  await forgetNewLearners();
  await testService.query('delete from learner_imports where company_id = $1 and actor_type <> $2', [
    companies.tenant,
    'operator',
  ]);
});

test('keeps a new learner who has signed in, but not one whose sign-in failed', async () => {
  const id = await imported(['ada', 'bob']);
  const signIn = `insert into sign_ins (company_id, kind, person_id, method, reason) values ($1, 'learner', $2, 'link', $3)`;
  await testService.query(signIn, [companies.tenant, (await find('ada')).id, null]);
  await testService.query(signIn, [companies.tenant, (await find('bob')).id, 'expired']);
  expect((await undo(id)).body.data.undo).toMatchObject({ deleted: 1, kept: 1 });
  await del(`/learners/${(await find('ada')).id}`);
});

test('deactivates a new learner who has a past membership', async () => {
  const id = await imported(['ada']);
  const { id: learner } = await find('ada');
  await testService.query(
    `insert into membership_periods (company_id, group_id, learner_id, first_day, last_day)
     values ($1, $2, $3, '2026-01-01', '2026-02-01')`,
    [companies.tenant, groupId('tenant', 1), learner],
  );
  expect((await undo(id)).body.data.undo).toMatchObject({ deleted: 0, deactivated: 1 });
  expect(await find('ada')).toMatchObject({ inactive: true });
  await del(`/learners/${learner}`);
});
