/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Learner, makeLink } from '../../support/learner.ts';
import { learnerId } from '../../support/world.ts';
import { ask, patch, USER } from './directory-support.ts';

const ada = learnerId('tenant', 1);
const path = `/Users/${ada}`;

const put = async (active: boolean) => {
  const { userName, name, emails } = (await ask('GET', path)).body;
  return ask('PUT', path, { body: { schemas: [USER], userName, name, emails, active } });
};

const activate = async () => {
  expect((await patch(path, { op: 'replace', path: 'active', value: true })).status).toBe(200);
};

/** Creates the deleted user again, which restores it. */
const restore = (user: any) => async () => {
  const { userName, name, emails } = user;
  const { status, body } = await ask('POST', '/Users', { body: { schemas: [USER], userName, name, emails } });
  expect({ status, id: body.id }).toEqual({ status: 201, id: ada });
};

test.each<[string, () => Promise<{ status: number }>]>([
  ['PATCH by Entra ID', () => patch(path, { op: 'Replace', path: 'active', value: 'False' })],
  ['PATCH by Okta', () => patch(path, { op: 'replace', value: { active: false } })],
  ['PUT', () => put(false)],
  ['DELETE', () => ask('DELETE', path)],
])('deactivating a user by %s ends the sessions and links at the next request, for good', async (_way, deactivate) => {
  const user = (await ask('GET', path)).body;
  const link = await makeLink('tenant', 1);
  const learner = await Learner.of('tenant', 1);
  expect(await learner.isIn()).toBe(true);
  const begun = performance.now();
  expect((await deactivate()).status).toBeLessThan(300);
  expect(await learner.isIn()).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1000);
  await (_way === 'DELETE' ? restore(user) : activate)();
  expect(await learner.isIn()).toBe(false);
  await expect(Learner.by(link)).rejects.toThrow();
  expect(await (await Learner.of('tenant', 1)).isIn()).toBe(true);
});

test('bulk requests are rejected, as ServiceProviderConfig states', async () => {
  expect((await ask('GET', '/ServiceProviderConfig')).body.bulk.supported).toBe(false);
  const Operations = [{ method: 'PATCH', path, data: { Operations: [{ op: 'replace', value: { active: false } }] } }];
  const learner = await Learner.of('tenant', 1);
  const response = await fetch(`${testService.url}/scim/v2/Bulk`, {
    method: 'POST',
    body: JSON.stringify({ Operations }),
  });
  expect(response.status).toBe(404);
  expect(await learner.isIn()).toBe(true);
});
