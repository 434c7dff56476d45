import { type Answer, call, expectError, get, patch, post } from '../support/client.ts';
import { companies, groupId, learnerId, managedCourses, ownCourseId, unknownId } from '../support/world.ts';
import { policyId, templateId } from '../support/world-policies.ts';
import { fingerprintOf } from '../support/client.ts';

const learner = `/learners/${learnerId('tenant', 1)}`;
const group = `/groups/${groupId('tenant', 1)}`;
const course = `/courses/${ownCourseId('tenant')}`;
const policy = `/policies/${policyId('tenant', 1)}`;
const template = `/policy-templates/${templateId('tenant', 1)}`;
const ALL = ['/company', '/company/features', learner, group, course, policy, template];

const tagOf = async (path: string): Promise<string> => (await get(path)).headers.get('etag')!;
const asked = (path: string, tag: string) => call('tenant', 'GET', path, { headers: { 'if-none-match': tag } });
const change = (method: string, path: string, ifMatch: string, body?: unknown): Promise<Answer> =>
  call('tenant', method, path, { body, headers: { 'if-match': ifMatch }, alone: false });
const named = (lastName: string) => ({ firstName: 'Ada', lastName });

describe('ETag', () => {
  test('single resources have a strong tag that stays while they are unchanged; lists have none', async () => {
    const tags = await Promise.all(ALL.map(tagOf));
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await Promise.all(ALL.map(tagOf))).toEqual(tags);
    expect(new Set(tags).size).toBe(tags.length);
    for (const path of ['/learners', '/reports/learning', `${policy}?outcome=all`])
      expect((await get(path)).headers.get('etag')).toBeNull();
  });

  test('a tag changes with any change to the response', async () => {
    const moves: [path: string, work: () => Promise<unknown>][] = [
      [learner, () => patch(group, { name: 'Shown in the learner' })],
      [learner, () => testService.query('update learners set risk_score = 80 where id = $1', [learnerId('tenant', 1)])],
      [group, () => post(`${group}/learners/add`, { learnerIds: [learnerId('tenant', 5)] })],
      [group, () => patch(learner, named('Shown in the group'))],
      [course, () => patch(course, { autoEnrol: true })],
      [policy, () => testService.query('delete from policy_results where learner_id = $1', [learnerId('tenant', 1)])],
      ['/company', () => testService.query('update companies set name = $2 where id = $1', [companies.tenant, 'Else'])],
    ];
    for (const [path, work] of moves) {
      const before = await tagOf(path);
      await work();
      expect({ path, moved: (await tagOf(path)) !== before }).toEqual({ path, moved: true });
    }
  });

  test('a group with other members has another tag, even if their number is equal', async () => {
    const before = await tagOf(group);
    await testService.query('update groups set updated_at = updated_at where id = $1', [groupId('tenant', 1)]);
    expect(await tagOf(group)).toBe(before);
    await testService.query('update group_learners set learner_id = $3 where learner_id = $1 and group_id = $2', [
      learnerId('tenant', 2),
      groupId('tenant', 1),
      learnerId('tenant', 4),
    ]);
    expect(await tagOf(group)).not.toBe(before);
  });

  test('If-None-Match returns 304 without a body while the tag is current', async () => {
    for (const path of ALL) {
      const tag = await tagOf(path);
      for (const given of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const { status, text, headers } = await asked(path, given);
        expect([status, text, headers.get('etag')]).toEqual([304, '', tag]);
      }
      const head = await call('tenant', 'HEAD', path, { headers: { 'if-none-match': tag } });
      expect([head.status, head.headers.get('etag')]).toEqual([304, tag]);
      for (const given of ['"other"', 'no tag', '']) expect((await asked(path, given)).status).toBe(200);
    }
    expect((await asked(`/learners/${unknownId}`, '*')).status).toBe(404);
  });
});

describe('If-Match', () => {
  const drafted = `/policies/${policyId('tenant', 2)}`;
  const CHANGES: [method: string, path: string, of: string, body: unknown][] = [
    ['PATCH', learner, learner, named('Changed')],
    ['PUT', `${learner}/groups`, learner, { groupIds: [] }],
    ['PATCH', group, group, { name: 'Changed' }],
    ['PUT', `${group}/managers`, group, { managerIds: [learnerId('tenant', 2)] }],
    ['POST', `${group}/learners/add`, group, { learnerIds: [learnerId('tenant', 1)] }],
    ['POST', `${group}/learners/remove`, group, { learnerIds: [learnerId('tenant', 1)] }],
    ['PATCH', course, course, { name: 'Changed' }],
    ['PATCH', policy, policy, { name: 'Changed', action: 'draft' }],
    ['POST', `${drafted}/discard-draft`, drafted, undefined],
    ['DELETE', learner, learner, undefined],
    ['DELETE', group, group, undefined],
  ];

  test.each(CHANGES)('%s %s succeeds only with the current tag', async (method, path, of, body) => {
    const tag = await tagOf(of);
    const before = await fingerprintOf('tenant');
    for (const stale of [`"${'A'.repeat(22)}"`, `W/"${'A'.repeat(22)}"`, `"a", "b"`, await tagOf('/company')])
      expectError(await change(method, path, stale, body), 412, 'changed_meanwhile', ['header/if-match']);
    for (const malformed of ['', tag.slice(1), tag.replaceAll('"', "'"), `${tag}, x`, ','])
      expectError(await change(method, path, malformed, body), 400, 'invalid_request', ['header/if-match']);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect((await change(method, path, `"other", W/${tag}`, body)).status).toBe(200);
  });

  test('a change with a tag returns the members of the group', async () => {
    const path = `/groups/${groupId('tenant', 2)}`;
    await post(`${path}/learners/add`, { learnerIds: [learnerId('tenant', 2), learnerId('tenant', 3)] });
    const before = (await get(path)).body.data;
    expect(before.learnerIds.length).toBeGreaterThan(1);
    const renamed = await change('PATCH', path, '*', { name: 'With members' });
    expect(renamed.body.data.learnerIds).toEqual(before.learnerIds);
    const managed = await change('PUT', `${path}/managers`, '*', { managerIds: [learnerId('tenant', 2)] });
    expect(managed.body.data.learnerIds).toEqual(before.learnerIds);
  });

  test('a template is compared with its own tag, and a foreign one returns 404', async () => {
    const own = `/policy-templates/${templateId('msp', 1)}`;
    const body = { name: 'Changed', action: 'draft' };
    const changed = (path: string, tag: string) =>
      call('msp', 'PATCH', path, { body, headers: { 'if-match': tag }, alone: false });
    const tag = (await get(own, 'msp')).headers.get('etag')!;
    expectError(await changed(own, '"other"'), 412, 'changed_meanwhile');
    expect((await changed(own, tag)).status).toBe(200);
    expectError(await changed(own, tag), 412, 'changed_meanwhile');
    expectError(await changed(template, '"other"'), 404, 'not_found');
  });

  test('* matches any existing resource', async () => {
    const other = `/learners/${learnerId('tenant', 2)}`;
    expect((await change('PATCH', other, '*', named('Any'))).status).toBe(200);
    for (const path of [`/learners/${unknownId}`, learner, `/learners/${learnerId('other', 1)}`])
      for (const tag of ['*', '"other"'])
        expectError(await change('PATCH', path, tag, named('Gone')), 404, 'not_found');
    const managed = `/courses/${managedCourses.passwords}`;
    expect((await change('PATCH', managed, await tagOf(managed), { autoEnrol: true })).status).toBe(200);
  });

  test('of concurrent changes with the same tag one succeeds', async () => {
    const path = `/learners/${learnerId('tenant', 3)}`;
    for (let round = 0; round < 3; round++) {
      const tag = await tagOf(path);
      const calls = Array.from({ length: 8 }, (_, n) => change('PATCH', path, tag, named(`Racer ${round} ${n}`)));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    }
  });

  test('an idempotent change is replayed although its tag is outdated', async () => {
    const path = `/learners/${learnerId('tenant', 4)}`;
    const headers = { 'if-match': await tagOf(path), 'idempotency-key': 'a-change-with-a-tag' };
    const once = () => call('tenant', 'PATCH', path, { body: named('Once'), headers });
    const first = await once();
    expect([first.status, (await once()).text]).toEqual([200, first.text]);
  });
});
