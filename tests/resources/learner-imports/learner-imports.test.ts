import pg from 'pg';
import { type Answer, del, expectError, get, patch, post, put } from '../../support/client.ts';
import { until } from '../../support/until.ts';
import { companies } from '../../support/world.ts';
import { race } from '../courses/enrollment-state.ts';
import { countWaitingForSeats, forgetNewLearners, setPlan } from '../tenant-state.ts';

const COLUMNS = ['Personalnummer', 'E-Mail', 'Vorname', 'Nachname', 'Abteilung', 'Manager', 'Gruppen'];
const row = (name: string, more: { number?: string; department?: string; manager?: string; groups?: string } = {}) => [
  ...[more.number ?? '', `${name}@new.test`, name, 'New', more.department ?? '', more.manager ?? '', more.groups ?? ''],
];
const create = (rows: string[][], more: object = {}) => post('/learner-imports', { columns: COLUMNS, rows, ...more });
const rowsOf = async (id: string, query = '') => (await get(`/learner-imports/${id}/rows${query}`)).body.data;
const apply = (id: string) => post(`/learner-imports/${id}/apply`);
const undo = (id: string) => post(`/learner-imports/${id}/undo`);
const find = async (name: string) => (await get(`/learners?email=${name}@new.test`)).body.data[0];

/** Creates an import, applies it, and returns its id. */
async function imported(rows: string[][]): Promise<string> {
  const { id } = (await create(rows)).body.data;
  expect((await apply(id)).status).toBe(200);
  return id;
}

const fatesOf = (rows: { fate: string }[]) => rows.map(({ fate }) => fate);
const faultsOf = (rows: { faults: { field: string; code: string }[] }[]) =>
  rows.map(({ faults }) => faults.map(({ field, code }) => `${field} ${code}`));

afterEach(async () => {
  await forgetNewLearners();
  await testService.query('delete from learner_imports where company_id = $1 and actor_type <> $2', [
    companies.tenant,
    'operator',
  ]);
});

describe('POST /learner-imports', () => {
  test('recognises columns, reports the outcome of each row, and changes nothing', async () => {
    await imported([row('ada', { number: 'N-1', department: 'Sales' }), row('bob')]);
    const { status, body } = await create([
      row('ada', { number: 'N-1', department: 'Marketing' }),
      row('bob'),
      row('cyd'),
      row('dan@'),
      ['', '', '', '', '', '', ''],
    ]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'checked', name: null, appliedAt: null, undo: null });
    expect(body.data.mapping.map(({ field }: { field: string }) => field)).toEqual([
      ...['externalLearnerId', 'email', 'firstName', 'lastName', 'department', 'manager', 'groups'],
    ]);
    expect(body.data.counts).toEqual({ rows: 5, new: 1, changed: 1, unchanged: 1, rejected: 1, skipped: 1 });
    const rows = await rowsOf(body.data.id);
    expect(fatesOf(rows)).toEqual(['changed', 'unchanged', 'new', 'rejected', 'skipped']);
    expect(rows[0].changes).toEqual([{ field: 'department', from: 'Sales', to: 'Marketing' }]);
    expect(faultsOf(rows)[3]).toEqual(['email invalid_request']);
    expect(await rowsOf(body.data.id, '?fate=new&limit=1')).toMatchObject([{ number: 3, learnerId: null }]);
    expect(await find('ada')).toMatchObject({ department: 'Sales' });
    expect(await find('cyd')).toBeUndefined();
  });

  test('finds the learner by number first, and rejects an address of another person', async () => {
    await imported([row('ada', { number: 'N-1' }), row('bob')]);
    const { id } = (
      await create([
        ['N-1', 'ada.king@new.test', '', '', '', '', ''],
        ['N-2', 'ada@new.test', 'Eve', 'New', '', '', ''],
        ['N-3', 'bob@new.test', '', '', '', '', ''],
        ['', '', 'Nobody', '', '', '', ''],
        ['N-9', '', '', 'New', '', '', ''],
      ])
    ).body.data;
    const rows = await rowsOf(id);
    expect(faultsOf(rows)).toEqual([
      [],
      ['externalLearnerId email_taken'],
      [],
      ['email invalid_request'],
      ['email invalid_request', 'firstName invalid_request'],
    ]);
    expect(rows[2].changes).toEqual([{ field: 'externalLearnerId', from: null, to: 'N-3' }]);
  });

  test('rejects rows by the rules of bulk calls, and names the field', async () => {
    const { id } = (
      await create(
        [
          ['eve@gmail.com', 'Eve', '', '', ''],
          ['fay@new.test', 'www.evil.test', '', '', ''],
          ['gil@new.test', 'Eve', 'Nowhere', '', ''],
          ['hal@new.test', 'Eve', '', 'nobody@new.test', ''],
          ['ivy@new.test', 'Eve', '', 'ivy@new.test', ''],
          ['jon@new.test', 'Eve', '', '', 'No such group'],
          ['eve@new.test', 'Eve', '', '', ''],
          ['EVE@new.test', 'Eve', '', '', ''],
        ],
        { columns: ['email', 'first name', 'country', 'manager', 'groups'] },
      )
    ).body.data;
    expect(faultsOf(await rowsOf(id))).toEqual([
      ['email email_provider_not_allowed'],
      ['firstName invalid_request'],
      ['country invalid_request'],
      ['manager not_found'],
      ['manager invalid_request'],
      ['groups not_found'],
      [],
      ['email email_taken'],
    ]);
  });

  test('rejects rows for which the plan has no free seat', async () => {
    await setPlan({ limit: 6 });
    const { counts, id } = (await create([row('ada'), row('bob'), row('cyd')])).body.data;
    await setPlan({});
    expect(counts.new + counts.rejected).toBe(3);
    expect(faultsOf(await rowsOf(id, '?fate=rejected')).flat()).toContain(' learner_limit_reached');
  });

  test('keeps a table without a known column as a draft until it has a mapping', async () => {
    const { id, status, counts } = (await create([['ada@new.test', 'Ada']], { columns: ['A', 'B'] })).body.data;
    expect({ status, rows: counts.rows }).toEqual({ status: 'draft', rows: 1 });
    expect(fatesOf(await rowsOf(id))).toEqual(['unchecked']);
    expectError(await apply(id), 400, 'invalid_request', ['path/learnerImportId']);
    const mapping = [
      { column: 0, field: 'email' },
      { column: 1, field: 'firstName' },
    ];
    const path = `/learner-imports/${id}/mapping`;
    expectError(await put(path, { mapping: [mapping[1]] }), 400, 'invalid_request', ['body/mapping']);
    expectError(await put(path, { mapping: [mapping[0], mapping[0]] }), 400, 'invalid_request');
    expectError(await put(path, { mapping: [{ column: 2, field: 'email' }] }), 400, 'invalid_request');
    expect((await put(path, { mapping })).body.data).toMatchObject({ status: 'checked', counts: { new: 1 } });
  });

  test('rejects the name of a column with a line break or a bidirectional character', async () => {
    for (const name of ['E-\nmail', 'E\u202email'])
      expectError(await create([['ada@new.test']], { columns: [name] }), 400, 'invalid_request', ['body/columns/0']);
  });

  test('keeps the ten newest imports that were not applied', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 11; count += 1) ids.push((await create([row('ada')])).body.data.id);
    expect((await get(`/learner-imports/${ids[0]}`)).status).toBe(404);
    const listed = (await get('/learner-imports')).body.data.map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids.slice(1).toReversed());
  });
});

describe('POST /learner-imports/{learnerImportId}/apply', () => {
  test('creates and changes learners with their managers and groups', async () => {
    const [group] = (await get('/groups')).body.data;
    const id = await imported([
      row('ada', { manager: 'N-2', groups: `${group.name.toUpperCase()}; ${group.name}` }),
      row('bob', { number: 'N-2' }),
    ]);
    const [ada, bob] = [await find('ada'), await find('bob')];
    expect(ada).toMatchObject({ managerId: bob.id, groupIds: [group.id] });
    expect((await rowsOf(id)).map((one: { learnerId: string }) => one.learnerId)).toEqual([ada.id, bob.id]);
    expect((await get(`/learner-imports/${id}`)).body.data).toMatchObject({ status: 'applied', counts: { new: 2 } });
  });

  test("imports people without their manager if the manager's row is rejected", async () => {
    const id = await imported([row('ada', { manager: 'boss@new.test' }), row('boss', { manager: 'boss@new.test' })]);
    expect(fatesOf(await rowsOf(id))).toEqual(['new', 'rejected']);
    expect(faultsOf(await rowsOf(id))[0]).toEqual(['manager not_found']);
    expect(await find('ada')).toMatchObject({ managerId: null });
  });

  test('applies an import once, even if two calls arrive at the same time', async () => {
    const { id } = (await create([row('ada'), row('bob')])).body.data;
    const answers = await Promise.all([race(`/learner-imports/${id}/apply`), race(`/learner-imports/${id}/apply`)]);
    expect(answers.map(({ body }) => body.data)).toEqual([answers[0].body.data, answers[0].body.data]);
    expect((await apply(id)).body.data.counts).toMatchObject({ new: 2 });
    expectError(
      await put(`/learner-imports/${id}/mapping`, { mapping: [{ column: 1, field: 'email' }] }),
      ...([400, 'learner_import_applied'] as const),
    );
  });

  test('checks the rows again, so that two imports of the same people create them once', async () => {
    const rows = [row('ada'), row('bob')];
    const [first, second] = [(await create(rows)).body.data, (await create(rows)).body.data];
    const answers = await Promise.all([first, second].map(({ id }) => race(`/learner-imports/${id}/apply`)));
    const news = answers.map(({ body }: Answer) => body.data.counts.new).toSorted();
    expect(news).toEqual([0, 2]);
  });

  test('a new row gets its address even if a rejected row asks for the same one', async () => {
    await imported([row('ada', { number: 'N-1' })]);
    const { id } = (await create([['N-1', 'bob@new.test', '', '', '', '', ''], row('bob')])).body.data;
    expect((await apply(id)).body.data.counts).toMatchObject({ new: 1, rejected: 1 });
    expect(faultsOf(await rowsOf(id))).toEqual([['email email_taken'], []]);
  });
});

describe('POST /learner-imports/{learnerImportId}/undo', () => {
  test('deletes new learners and restores changed fields and groups', async () => {
    await imported([row('ada', { department: 'Sales' })]);
    const [group] = (await get('/groups')).body.data;
    const id = await imported([row('ada', { department: 'Law', number: 'N-1', groups: group.name }), row('bob')]);
    const { status, body } = await undo(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'undone',
      undo: { deleted: 1, deactivated: 0, restored: 1, partlyRestored: 0, kept: 0 },
    });
    expect(await find('ada')).toMatchObject({ department: 'Sales', externalLearnerId: null, groupIds: [] });
    expect(await find('bob')).toBeUndefined();
    expect(await rowsOf(id)).toMatchObject([
      { number: 1, undo: { outcome: 'restored', keptFields: [], message: null } },
    ]);
    expect((await undo(id)).body.data).toEqual(body.data);
    expectError(await apply(id), 400, 'learner_import_applied');
  });

  test('keeps values that somebody has changed since, and says so', async () => {
    await imported([row('ada', { department: 'Sales' }), row('bob', { department: 'Sales' })]);
    const id = await imported([row('ada', { department: 'Law', number: 'N-1' }), row('bob', { department: 'Law' })]);
    for (const name of ['ada', 'bob'])
      await patch(`/learners/${(await find(name)).id}`, { firstName: name, lastName: 'New', department: 'Board' });
    expect((await undo(id)).body.data.undo).toMatchObject({ restored: 0, partlyRestored: 1, kept: 1 });
    expect(await find('ada')).toMatchObject({ department: 'Board', externalLearnerId: null });
    expect((await rowsOf(id)).map(({ undo: done }: { undo: object }) => done)).toMatchObject([
      { outcome: 'partly_restored', keptFields: ['department'] },
      { outcome: 'kept', keptFields: ['department'] },
    ]);
  });

  test('keeps a new learner who has started a course, and says so', async () => {
    const id = await imported([row('ada')]);
    const { id: learner } = await find('ada');
    const [course] = (await get('/courses')).body.data;
    const results = [
      { eventId: 'import-1', learner: { id: learner }, course: { id: course.id }, startedAt: new Date() },
    ];
    expect((await post('/course-results', { results })).body.data.failures).toEqual([]);
    expect((await undo(id)).body.data.undo).toMatchObject({ deleted: 0, deactivated: 0, kept: 1 });
    expect(await find('ada')).toMatchObject({ inactive: false });
    const message = 'The learner has signed in or acted since the import.';
    expect(await rowsOf(id)).toMatchObject([{ undo: { outcome: 'kept', keptFields: [], message } }]);
    await del(`/learners/${learner}`);
  });

  test('keeps a value that another learner now has, and learners of a directory', async () => {
    await imported([row('ada', { number: 'N-1' }), row('bob', { department: 'Sales' })]);
    const id = await imported([['N-1', 'ada.king@new.test', '', '', '', '', ''], row('bob', { department: 'Law' })]);
    await imported([row('ada')]);
    await testService.query(
      `insert into directory_learners (company_id, learner_id, user_name, user_name_key) values ($1, $2, 'bob', 'bob')`,
      [companies.tenant, (await find('bob')).id],
    );
    expect((await undo(id)).body.data.undo).toMatchObject({ restored: 0, kept: 2 });
    expect((await rowsOf(id)).map(({ undo: done }: { undo: { message: string } }) => done.message)).toEqual([
      'Another learner of the company already has this e-mail address.',
      'A directory manages the learner.',
    ]);
  });

  test('does not deadlock with a call that applies the import', async () => {
    const { id } = (await create([row('ada')])).body.data;
    const other = new pg.Client(testService.database.ownerUrl);
    await other.connect();
    await other.query('begin');
    await other.query('select from company_seats where company_id = $1 for update', [companies.tenant]);
    let isOver = false;
    const undone = race(`/learner-imports/${id}/undo`).finally(() => (isOver = true));
    await until(async () => isOver || (await countWaitingForSeats()) === 1);
    const applied = race(`/learner-imports/${id}/apply`);
    await until(async () => (await countWaitingForSeats()) === (isOver ? 1 : 2));
    await other.query('commit');
    await other.end();
    expect((await undone).body.error?.code).toBe('learner_import_not_undoable');
    expect((await applied).status).toBe(200);
  });

  test('is rejected before the import is applied, and after 24 hours', async () => {
    const { id } = (await create([row('ada')])).body.data;
    expectError(await undo(id), 400, 'learner_import_not_undoable', ['path/learnerImportId']);
    await apply(id);
    await testService.query(`update learner_imports set applied_at = now() - interval '25 hours' where id = $1`, [id]);
    expectError(await undo(id), 400, 'learner_import_not_undoable', ['path/learnerImportId']);
  });
});

test('the worker deletes imports after 30 days', async () => {
  const { id } = (await create([row('ada')])).body.data;
  await testService.query(`update learner_imports set stored_at = now() - interval '31 days' where id = $1`, [id]);
  await testService.query('select purge_learner_imports()');
  expect((await get(`/learner-imports/${id}`)).status).toBe(404);
});

test('the row of a deleted learner is deleted with the learner', async () => {
  const id = await imported([row('ada'), row('bob')]);
  await del(`/learners/${(await find('ada')).id}`);
  expect(await rowsOf(id)).toMatchObject([{ number: 2 }]);
});
