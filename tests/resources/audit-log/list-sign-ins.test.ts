import { Admin } from '../../support/admin.ts';
import { expectError, get } from '../../support/client.ts';
import { Learner } from '../../support/learner.ts';
import { adminId, learnerId } from '../../support/world.ts';

const [admin, learner] = [adminId('tenant', 1), learnerId('tenant', 2)];
const list = async (query: string) => (await get(`/sign-ins${query}`)).body.data as { personId: string; id: string }[];
const people = async (query: string) => (await list(query)).map(({ personId }) => personId);

beforeAll(async () => {
  await Admin.of('tenant');
  await Learner.of('tenant', 2);
  await Learner.of('other', 1);
  await testService.query(`update sign_ins set occurred_at = '2026-03-01T12:00:00Z' where person_id = $1`, [admin]);
});

describe('GET /sign-ins', () => {
  test("lists the caller's company's sign-ins, newest first, page by page", async () => {
    expect(await people('')).toEqual([learner, admin]);
    const first = await get('/sign-ins?limit=1');
    const { page } = JSON.parse(first.text) as { page: { nextCursor: string } };
    const second = await get(`/sign-ins?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`);
    expect([first.body.data[0].personId, second.body.data[0].personId]).toEqual([learner, admin]);
  });

  test.each([
    [`?adminId=${admin}`, [admin]],
    [`?adminId=${admin.toUpperCase()}&outcome=succeeded`, [admin]],
    [`?learnerId=${learner}`, [learner]],
    [`?adminId=${learner}`, []],
    [`?learnerId=${learnerId('other', 1)}`, []],
    ['?outcome=failed', []],
    ['?since=2026-03-01T12:00:00Z&until=2026-03-01T12:00:01Z', [admin]],
    ['?until=2026-03-01T12:00:00Z', []],
  ])('filters with %s', async (query, expected) => {
    expect(await people(query)).toEqual(expected);
  });

  test('rejects a learner together with an admin, and unknown values, with the name of the parameter', async () => {
    expectError(await get(`/sign-ins?adminId=${admin}&learnerId=${learner}`), 400, 'invalid_request', [
      'query/adminId',
    ]);
    expectError(await get('/sign-ins?outcome=done'), 400, 'invalid_request', ['query/outcome']);
    expectError(await get('/sign-ins?since=yesterday'), 400, 'invalid_request', ['query/since']);
  });
});
