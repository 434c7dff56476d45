import { type Answer, del, fingerprintOf } from '../../support/client.ts';
import { adminId, companies, type CompanyName, groupId, learnerId, unknownId } from '../../support/world.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../tenant-state.ts';
import {
  activate,
  countActive,
  finishSetup,
  idsOf,
  insertAdmins,
  invite,
  messagesOf,
  race,
  restoreAdminsAfterEach,
  statusOfLink,
} from './admin-state.ts';

const [active, invited] = [adminId('tenant', 1), adminId('tenant', 2)];
const remove = (adminIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  del('/admins/bulk', { adminIds }, key);
const raceBulk = (adminIds: string[]): Promise<Answer> => race('DELETE', '/admins/bulk', { adminIds });

restoreAdminsAfterEach();

describe('DELETE /admins/bulk', () => {
  test('deletes admins with their messages and links and can be repeated', async () => {
    const one = await invite();
    const two = await invite({ email: 'second@tenant.test' });
    const { status, body } = await remove([two.id, one.id]);
    expect(status).toBe(200);
    expect(body.data.deletedIds.toSorted()).toEqual([one.id, two.id].sort());
    expect(body.data.skippedIds).toEqual([]);
    expect(await idsOf('tenant')).toEqual([active, invited]);
    for (const { id, token } of [one, two]) {
      expect(await messagesOf(id)).toEqual([]);
      expect(await statusOfLink(token)).toBe(404);
    }
    const repeated = await remove([two.id, one.id]);
    expect(repeated.body.data).toEqual({ deletedIds: [], skippedIds: [two.id, one.id] });
  });

  test('skips unknown and foreign ids in the order of the request', async () => {
    const others = [adminId('other', 2), unknownId, learnerId('tenant', 1), adminId('childA', 1), groupId('tenant', 1)];
    const { body } = await remove([others[0], others[1], invited, ...others.slice(2)]);
    expect(body.data).toEqual({ deletedIds: [invited], skippedIds: others });
    expect(await idsOf('other')).toEqual([adminId('other', 1), adminId('other', 2)]);
  });

  test('an MSP without companyId cannot delete admins of its child company', async () => {
    const before = await fingerprintOf('childA');
    const ids = await idsOf('childA');
    expect((await remove(ids, 'msp')).body.data).toEqual({ deletedIds: [], skippedIds: ids });
    expect(await fingerprintOf('childA')).toBe(before);
  });

  test('deletes active admins if one active admin is left', async () => {
    const ids = await insertAdmins('tenant', 3, 'active');
    expect((await remove([active, invited, ids[0], ids[2]])).body.data.skippedIds).toEqual([]);
    expect(await idsOf('tenant')).toEqual([ids[1]]);
  });

  test.each<[string, string[]]>([
    ['only the last active admin', [active]],
    ['the last active and an invited admin', [invited, active]],
    ['the last active admin and unknown ids', [unknownId, active, adminId('other', 1)]],
  ])('a call with %s returns 400 last_admin and deletes no admin', async (_case, ids) => {
    await expectRefused(() => remove(ids), 400, 'last_admin');
  });

  test('a call with every active admin returns 400 last_admin and deletes no admin', async () => {
    const ids = await insertAdmins('tenant', 40, 'active');
    await expectRefused(() => remove([...ids, active, invited]), 400, 'last_admin');
  });

  test('deletes all invited admins of a company without active admins', async () => {
    const ids = await insertAdmins('tenant', 2);
    await testService.query("delete from admins where company_id = $1 and status = 'active'", [companies.tenant]);
    expect((await remove([invited, unknownId])).body.data).toEqual({ deletedIds: [invited], skippedIds: [unknownId] });
    expect((await remove(ids)).status).toBe(200);
    expect(await idsOf('tenant')).toEqual([]);
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
  });

  test('deletes 10,000 admins', async () => {
    const ids = await insertAdmins('tenant', 10_000);
    const { body } = await remove(ids.toReversed());
    expect(body.data.deletedIds.toSorted()).toEqual(ids);
    expect(body.data.skippedIds).toEqual([]);
    expect(await idsOf('tenant')).toEqual([active, invited]);
  });

  test('skips 10,000 unknown ids in the order of the request', async () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
  });

  testIdList('adminIds', (ids) => remove(ids));
});

describe('concurrent DELETE /admins/bulk requests', () => {
  test('calls with the same admins in different orders delete each admin once', async () => {
    const ids = await insertAdmins('tenant', 300);
    const requests = Array.from({ length: 8 }, (_, n) => raceBulk(n % 2 ? ids : ids.toReversed()));
    expect(await expectNoFailure(requests)).toEqual({ 200: 8 });
    const deleted = (await Promise.all(requests)).flatMap(({ body }) => body.data.deletedIds);
    expect(deleted.toSorted()).toEqual(ids);
  });

  test('two calls with one half of the active admins each: exactly one deletes its half', async () => {
    await activate(invited);
    const ids = await insertAdmins('tenant', 8, 'active');
    const halves = [
      [active, ...ids.slice(4)],
      [invited, ...ids.slice(0, 4)],
    ];
    await whileSlow('delete', 'admins', async () => {
      expect(await expectNoFailure(halves.map(raceBulk))).toEqual({ 200: 1, 400: 1 });
    });
    expect(await countActive()).toBe(5);
    expect(halves.map((half) => half.toSorted())).toContainEqual(await idsOf('tenant'));
  });

  test('bulk and single deletions leave at least one active admin', async () => {
    const ids = [active, ...(await insertAdmins('tenant', 9, 'active'))];
    const singles = ids.slice(5).map((id) => race('DELETE', `/admins/${id}`));
    await expectNoFailure([raceBulk(ids.slice(0, 5).toReversed()), ...singles, raceBulk([ids[9]!, ids[0]!])]);
    expect(await countActive()).toBeGreaterThan(0);
  });

  test('deleting an invited admin during its setup leaves one active admin', async () => {
    const { id, token } = await invite();
    await whileSlow('delete', 'admins', async () => {
      const requests = [raceBulk([id, invited])];
      await meanwhile();
      const finishing = finishSetup(token);
      await meanwhile();
      requests.push(race('DELETE', `/admins/${active}`));
      await expectNoFailure(requests);
      expect([200, 404]).toContain(await finishing);
    });
    expect(await countActive()).toBe(1);
  });

  test('deletions and resent invites of the same admins never return a 5xx', async () => {
    const ids = await insertAdmins('tenant', 12);
    const resent = ids.map((id) => race('POST', `/admins/${id}/resend-invite`));
    await expectNoFailure([raceBulk(ids), ...resent, raceBulk(ids.toReversed())]);
    const [left] = await testService.query('select count(*)::integer from messages');
    expect(left).toEqual({ count: 0 });
  });

  test.each([1, 2, 3])(
    'deletions, changes, invites and setups of the same admins never return a 5xx (round %i)',
    async () => {
      const ids = [active, invited, ...(await insertAdmins('tenant', 4, 'active'))];
      const links = await Promise.all([1, 2, 3].map((n) => invite({ email: `link${n}@tenant.test` })));
      const all = [...ids, ...links.map(({ id }) => id)];
      const requests = all.flatMap((id, n) => [
        race('POST', `/admins/${id}/resend-invite`),
        race('DELETE', `/admins/${id}`),
        race('PATCH', `/admins/${id}`, { email: `n${(n * 7) % 5}@tenant.test` }),
        raceBulk(n % 2 ? all.slice(n) : all.slice(n).toReversed()),
        race('POST', '/admins', { email: `n${n}@tenant.test`, firstName: 'New', lastName: 'Here' }),
      ]);
      const setups = links.map(({ token }) => finishSetup(token));
      await expectNoFailure(requests);
      // 429 because on a busy machine, a lookup without a key can wait too long.
      for (const status of await Promise.all(setups)) expect([200, 404, 429]).toContain(status);
      expect(await countActive()).toBeGreaterThan(0);
    },
  );
});
