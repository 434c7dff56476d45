import { RECORDED_TABLES, UNRECORDED_TABLES } from '../../../src/resources/learner-merges/merged-tables.ts';
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { companies, learnerId, unknownId } from '../../support/world.ts';
import { learnerMergeId } from '../../support/world-merges.ts';
import { learner, race } from '../courses/enrollment-state.ts';
import { eventsOf } from '../events/event-state.ts';
import { merged, rowsOfLearners, undone } from './merge-state.ts';

const NAMES = { firstName: 'Ada', lastName: 'tenant' };
const merge = (from: string, into: string) => post('/learner-merges', { learnerId: from, intoLearnerId: into });

test('every table with a learner is moved, kept or left to the deletion of the duplicate', async () => {
  const rows = await testService.query(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'learner_id'`,
  );
  const known = [...Object.keys(RECORDED_TABLES), ...Object.keys(UNRECORDED_TABLES)];
  expect(rows.map(({ name }) => String(name)).toSorted()).toEqual(known.toSorted());
});

describe('POST /learner-merges', () => {
  test('rejects merging a learner with itself, an unknown learner, and learners of other companies', async () => {
    expectError(await merge(learner(1), learner(1)), 400, 'invalid_request', ['body/intoLearnerId']);
    for (const other of [unknownId, learnerId('other', 1)]) {
      expectError(await merge(other, learner(1)), 404, 'not_found', ['body/learnerId']);
      expectError(await merge(learner(1), other), 404, 'not_found', ['body/intoLearnerId']);
    }
  });

  test('rejects a duplicate that a directory manages, and accepts it as the remaining learner', async () => {
    await testService.query(
      `insert into directory_learners (company_id, learner_id, user_name, user_name_key) values ($1, $2, 'ada', 'ada')`,
      [companies.tenant, learner(1)],
    );
    expectError(await merge(learner(1), learner(2)), 400, 'learner_in_directory', ['body/learnerId']);
    await undone((await merged(learner(2), learner(1))).id);
    await testService.query('delete from directory_learners');
  });

  test('a repeated merge returns the existing one; cycles and second merges are rejected', async () => {
    const first = await merged(learner(2), learner(1));
    expect(await merged(learner(2), learner(1))).toEqual(first);
    expectError(await merge(learner(1), learner(2)), 400, 'learner_merged', ['body/intoLearnerId']);
    expectError(await merge(learner(2), learner(3)), 400, 'learner_merged', ['body/learnerId']);
    await undone(first.id);
  });

  test('of two concurrent opposite merges, one succeeds', async () => {
    const body = (from: 1 | 2, into: 1 | 2) => ({ learnerId: learner(from), intoLearnerId: learner(into) });
    const answers = await Promise.all([race('/learner-merges', body(1, 2)), race('/learner-merges', body(2, 1))]);
    const made = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ body: { error } }) => error?.code).toSorted()).toEqual(['learner_merged', undefined]);
    await undone(made[0]!.body.data.id);
  });

  test('the former id returns the remaining learner, and the former address stays reserved', async () => {
    const { id: mergeId } = await merged(learner(2), learner(1));
    const read = await get(`/learners/${learner(2)}`);
    expect(read.body).toEqual((await get(`/learners/${learner(1)}`)).body);
    const changed = await patch(`/learners/${learner(2).toUpperCase()}`, { ...NAMES, jobTitle: 'Engineer' });
    expect(changed.body.data).toMatchObject({ id: learner(1), jobTitle: 'Engineer' });
    expect((await get(`/corrections?learnerId=${learner(2)}`)).status).toBe(200);
    expect((await get('/learners')).body.data.map(({ id }: { id: string }) => id)).not.toContain(learner(2));
    expectError(await get(`/learners/${learner(2)}`, 'other'), 404, 'not_found');
    expectError(await post('/learners', { ...NAMES, email: 'Learner2@tenant.test' }), 400, 'email_taken');
    await patch(`/learners/${learner(1)}`, { ...NAMES, jobTitle: null });
    await undone(mergeId);
  });
});

describe('DELETE /learner-merges/{learnerMergeId}', () => {
  test('undoes merges of a chain in reverse order only, and not after 30 days', async () => {
    const before = await rowsOfLearners();
    const first = await merged(learner(2), learner(1));
    const second = await merged(learner(1), learner(3));
    expect((await get(`/learners/${learner(2)}`)).body.data.id).toBe(learner(3));
    expect((await get(`/learner-merges/${first.id}`)).body.data.currentLearnerId).toBe(learner(3));
    expectError(await del(`/learner-merges/${first.id}`), 400, 'merge_not_undoable', ['path/learnerMergeId']);
    await testService.query('update learner_merges set undoable_until = now() where id = $1', [second.id]);
    expectError(await del(`/learner-merges/${second.id}`), 400, 'merge_not_undoable', ['path/learnerMergeId']);
    await testService.query(`update learner_merges set undoable_until = now() + interval '1 day' where id = $1`, [
      second.id,
    ]);
    await undone(second.id);
    await undone(first.id);
    expectError(await del(`/learner-merges/${first.id}`), 404, 'not_found');
    expect(await rowsOfLearners()).toEqual(before);
  });

  test('is rejected if the address is in use again, or the plan has no seat', async () => {
    const { id: mergeId } = await merged(learner(2), learner(1));
    await patch(`/learners/${learner(1)}`, { ...NAMES, email: 'learner2@tenant.test' });
    expectError(await del(`/learner-merges/${mergeId}`), 400, 'email_taken');
    await patch(`/learners/${learner(1)}`, { ...NAMES, email: 'learner1@tenant.test' });
    await testService.query('update companies set learner_limit = 3 where id = $1', [companies.tenant]);
    expectError(await del(`/learner-merges/${mergeId}`), 403, 'learner_limit_reached');
    await testService.query('update companies set learner_limit = null where id = $1', [companies.tenant]);
    await undone(mergeId);
  });

  test('writes events, and returns 404 to other companies', async () => {
    let mergeId = '';
    const events = await eventsOf(async () => {
      ({ id: mergeId } = await merged(learner(2), learner(1)));
      expectError(await call('other', 'DELETE', `/learner-merges/${mergeId}`), 404, 'not_found');
      await undone(mergeId);
    });
    const data = { learnerMergeId: mergeId, learnerId: learner(2), intoLearnerId: learner(1) };
    expect(events.filter(([type]) => type.startsWith('learner.'))).toEqual([
      ['learner.deleted', { learnerId: learner(2) }],
      ['learner.merged', data],
      ['learner.created', { learnerId: learner(2) }],
      ['learner.unmerged', data],
    ]);
  });

  test('the purge deletes kept rows after 30 days, and the former id after a year', async () => {
    const { id: mergeId } = await merged(learner(1), learner(4));
    const purge = async (column: string, table: string, key: string) => {
      await testService.query(`update ${table} set ${column} = now() where ${key} = $1`, [mergeId]);
      return testService.query('select purge_learner_merges() as company');
    };
    expect(await purge('kept_until', 'learner_merge_records', 'merge_id')).toEqual([{ company: companies.tenant }]);
    expectError(await del(`/learner-merges/${mergeId}`), 400, 'merge_not_undoable');
    expect((await get(`/learners/${learner(1)}`)).body.data.id).toBe(learner(4));
    await purge('answers_until', 'learner_merges', 'id');
    expectError(await get(`/learners/${learner(1)}`), 404, 'not_found');
    expect(await testService.query('select purge_learner_merges() as company')).toEqual([{ company: null }]);
  });

  test('deleting the remaining learner deletes the merge, its kept rows and the former id', async () => {
    const { id: mergeId } = await merged(learner(2), learner(3));
    const list = async (id: string) =>
      (await get(`/learner-merges?learnerId=${id}`)).body.data.map((one: { id: string }) => one.id);
    expect([await list(learner(3)), await list(learner(2))]).toEqual([[mergeId, learnerMergeId('tenant')], [mergeId]]);
    expectError(await del(`/learners/${learner(2)}`), 404, 'not_found');
    expect((await del(`/learners/${learner(3)}`)).status).toBe(200);
    for (const path of [`/learner-merges/${mergeId}`, `/learners/${learner(2)}`])
      expectError(await get(path), 404, 'not_found');
    expect(await testService.query('select from learner_merge_records where merge_id = $1', [mergeId])).toEqual([]);
  });
});
