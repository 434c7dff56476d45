/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get, patch, post } from '../support/client.ts';
import { companies, groupId, learnerId, ownCourseId } from '../support/world.ts';
import { forgetNewLearners } from '../resources/tenant-state.ts';

const NEW = { firstName: 'Ada', lastName: 'King', email: 'ada@new.test', department: 'Sales' };

let owner: Admin;
let id: string;
let path: string;
beforeAll(async () => {
  owner = await Admin.of('tenant', 1);
});
beforeEach(async () => {
  ({ id } = (await post('/learners', { ...NEW, groupIds: [groupId('tenant', 1)] })).body.data);
  path = `/console/people/${id}`;
});
afterEach(forgetNewLearners);

const read = async () => (await get(`/learners/${id}`)).body.data;
const save = (fields: Record<string, string>) => owner.post(`${path}/edit`, { ...NEW, ...fields });

describe('the form of a person', () => {
  test('saves every field, and clears empty fields', async () => {
    expect((await owner.get(path)).html).toContain(`href="${path}/edit"`);
    const page = await save({
      ...{ firstName: 'Augusta', externalLearnerId: 'N-1', department: '', jobTitle: 'Analyst', location: 'London' },
      ...{ country: 'gb', locale: 'de_CH', timeZone: 'Europe/London', absentUntil: '2030-01-31' },
      ...{ manager: 'LEARNER1@tenant.test', groups: groupId('tenant', 2), excludedFromAutoEnrol: 'yes' },
    });
    expect(page.headers.get('location')).toBe(`${path}?notice=saved`);
    expect((await owner.get(`${path}?notice=saved`)).html).toContain('The person has been saved.');
    expect(await read()).toMatchObject({
      ...{ firstName: 'Augusta', externalLearnerId: 'N-1', department: null, jobTitle: 'Analyst', location: 'London' },
      ...{ country: 'GB', locale: 'de-CH', timeZone: 'Europe/London', absentUntil: '2030-01-31' },
      ...{ managerId: learnerId('tenant', 1), excludedFromAutoEnrol: true },
      groups: [{ id: groupId('tenant', 2) }],
    });
  });

  test.each([
    [{ email: 'learner1@tenant.test' }, 'email', 'Another person already has this e-mail address.'],
    [{ externalLearnerId: 'HR-1' }, 'externalLearnerId', 'Another person already has this employee number.'],
    [{ country: 'XX' }, 'country', 'Please write the country as a code, such as DE or GB.'],
    [{ timeZone: 'Mars' }, 'timeZone', 'Please write the time zone as in Europe/Berlin.'],
    [{ firstName: 'www.evil.test' }, 'firstName', 'Please check the first name'],
    [{ manager: 'nobody@tenant.test' }, 'manager', 'Nobody has this e-mail address, or it belongs to the same person.'],
    [{ manager: NEW.email }, 'manager', 'Nobody has this e-mail address, or it belongs to the same person.'],
  ])('%j is rejected at its field, and the form keeps the input', async (fields, name, text) => {
    const { status, html } = await save({ jobTitle: 'Entered', ...fields });
    expect(status).toBe(400);
    expect(html).toContain(`id="${name}-fault"`);
    expect(html).toContain(text);
    expect(html).toContain('value="Entered"');
    expect(await read()).toMatchObject({ jobTitle: null });
  });

  test('explains a conflict, and overwrites the other change when the form is sent again', async () => {
    const hidden = hiddenOf((await owner.get(`${path}/edit`)).html);
    await patch(`/learners/${id}`, { firstName: 'Ada', lastName: 'King', department: 'Law' });
    const stale = await owner.send(`${path}/edit`, { ...hidden, ...NEW, jobTitle: 'Analyst' });
    expect(stale.status).toBe(412);
    expect(stale.html).toContain('Somebody else has changed this person');
    expect(stale.html).toContain('Now: Law');
    expect(await read()).toMatchObject({ department: 'Law', jobTitle: null });
    const again = await owner.send(`${path}/edit`, { ...hiddenOf(stale.html), ...NEW, jobTitle: 'Analyst' });
    expect(again.status).toBe(303);
    expect(await read()).toMatchObject({ department: 'Sales', jobTitle: 'Analyst' });
  });

  test('is not offered to an auditor, and another company’s person is not found', async () => {
    await testService.query(`update admins set role = 'auditor' where company_id = $1`, [companies.tenant]);
    const [page, form, sent] = [await owner.get(path), await owner.get(`${path}/edit`), await save({})];
    await testService.query(`update admins set role = 'owner' where company_id = $1`, [companies.tenant]);
    expect(page.html).not.toContain('/edit"');
    expect([form.status, sent.status]).toEqual([403, 403]);
    expect((await owner.get(`/console/people/${learnerId('other', 1)}/edit`)).status).toBe(404);
  });
});

describe('the records of a person', () => {
  const recorded = async () => (await get(`/course-results?learnerId=${id}&includeVoided=true`)).body.data;

  /** Records a finish of a course, and returns the path of a form that corrects it. */
  async function record(eventId: string): Promise<(action: string) => string> {
    const results = [
      {
        ...{ eventId, learner: { id }, course: { id: ownCourseId('tenant') }, startedAt: '2026-01-05T09:00:00Z' },
        ...{ finishedAt: '2026-01-06T09:00:00Z', score: 90 },
      },
    ];
    expect((await post('/course-results', { results })).body.data.failures).toEqual([]);
    return (action) => `${path}/records/correct?kind=course_result&eventId=${eventId}&action=${action}`;
  }

  test('a result is voided with a reason, and restored', async () => {
    const to = await record('edit-1');
    expect((await owner.get(`${path}/records`)).html).toContain('action=void');
    const missing = await owner.post(to('void'), { reason: '' }, `${path}/records/correct`);
    expect(missing.status).toBe(400);
    expect(missing.html).toContain('id="reason-fault"');
    const sent = await owner.post(to('void'), { reason: 'Wrong person' }, `${path}/records/correct`);
    expect(sent.headers.get('location')).toBe(`${path}/records?notice=corrected`);
    expect(await recorded()).toMatchObject([{ voidedAt: expect.any(String), correction: { reason: 'Wrong person' } }]);
    expect((await owner.get(`${path}/records`)).html).toContain('action=restore');
    await owner.post(to('restore'), { reason: 'Right after all' }, `${path}/records/correct`);
    expect(await recorded()).toMatchObject([{ voidedAt: null }]);
  });

  test('a result is replaced once, even if the form is sent twice', async () => {
    const to = await record('edit-2');
    const { html } = await owner.get(to('replace'));
    expect(html).toContain('value="2026-01-06"');
    const fields = { ...hiddenOf(html), startedOn: '2026-01-05', finishedOn: '2026-01-06', reason: 'Swapped' };
    const wrong = await owner.send(`${path}/records/correct`, { ...fields, score: '190' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('id="score-fault"');
    const answers = [
      await owner.send(`${path}/records/correct`, { ...fields, score: '70,5' }),
      await owner.send(`${path}/records/correct`, { ...fields, score: '70,5' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const results = (await recorded()).map(({ score, voidedAt }: { score: number; voidedAt: string | null }) => [
      score,
      voidedAt !== null,
    ]);
    expect(results.toSorted()).toEqual([
      [70.5, false],
      [90, true],
    ]);
  });

  test('an auditor sees the records, but cannot correct them', async () => {
    const to = await record('edit-3');
    await testService.query(`update admins set role = 'auditor' where company_id = $1`, [companies.tenant]);
    const [list, form] = [await owner.get(`${path}/records`), await owner.get(to('void'))];
    await testService.query(`update admins set role = 'owner' where company_id = $1`, [companies.tenant]);
    expect([list.status, form.status]).toEqual([200, 403]);
    expect(list.html).not.toContain('action=void');
    expect((await owner.get(to('void').replace('edit-3', 'nothing'))).status).toBe(404);
  });
});
