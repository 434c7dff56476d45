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
  test('removes admins with their messages and links, and can be repeated', async () => {
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

  test('ids that the company does not have are skipped, in the order of the call', async () => {
    const others = [adminId('other', 2), unknownId, learnerId('tenant', 1), adminId('childA', 1), groupId('tenant', 1)];
    const { body } = await remove([others[0], others[1], invited, ...others.slice(2)]);
    expect(body.data).toEqual({ deletedIds: [invited], skippedIds: others });
    expect(await idsOf('other')).toEqual([adminId('other', 1), adminId('other', 2)]);
  });

  test('an MSP removes no admin of its child', async () => {
    const before = await fingerprintOf('childA');
    const ids = await idsOf('childA');
    expect((await remove(ids, 'msp')).body.data).toEqual({ deletedIds: [], skippedIds: ids });
    expect(await fingerprintOf('childA')).toBe(before);
  });

  test('active admins are removed as long as one stays', async () => {
    const ids = await insertAdmins('tenant', 3, 'active');
    expect((await remove([active, invited, ids[0], ids[2]])).body.data.skippedIds).toEqual([]);
    expect(await idsOf('tenant')).toEqual([ids[1]]);
  });

  test.each<[string, string[]]>([
    ['the last active admin alone', [active]],
    ['it and an invited one', [invited, active]],
    ['it among ids that name nothing', [unknownId, active, adminId('other', 1)]],
  ])('a call with %s is refused and removes nobody', async (_case, ids) => {
    await expectRefused(() => remove(ids), 400, 'last_admin');
  });

  test('a call with every active admin is refused and removes nobody', async () => {
    const ids = await insertAdmins('tenant', 40, 'active');
    await expectRefused(() => remove([...ids, active, invited]), 400, 'last_admin');
  });

  test('invited admins can be removed though nobody is active, down to the last', async () => {
    const ids = await insertAdmins('tenant', 2);
    await testService.query("delete from admins where company_id = $1 and status = 'active'", [companies.tenant]);
    expect((await remove([invited, unknownId])).body.data).toEqual({ deletedIds: [invited], skippedIds: [unknownId] });
    expect((await remove(ids)).status).toBe(200);
    expect(await idsOf('tenant')).toEqual([]);
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
  });

  test('removes 10,000 admins', async () => {
    const ids = await insertAdmins('tenant', 10_000);
    const { body } = await remove(ids.toReversed());
    expect(body.data.deletedIds.toSorted()).toEqual(ids);
    expect(body.data.skippedIds).toEqual([]);
    expect(await idsOf('tenant')).toEqual([active, invited]);
  });

  test('10,000 ids that name nothing are skipped, in their order', async () => {
    const ids = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
    expect((await remove(ids)).body.data).toEqual({ deletedIds: [], skippedIds: ids });
  });

  testIdList('adminIds', (ids) => remove(ids));
});

describe('DELETE /admins/bulk at the same time', () => {
  test('the same admins in different orders are each removed once', async () => {
    const ids = await insertAdmins('tenant', 300);
    const requests = Array.from({ length: 8 }, (_, n) => raceBulk(n % 2 ? ids : ids.toReversed()));
    expect(await expectNoFailure(requests)).toEqual({ 200: 8 });
    const deleted = (await Promise.all(requests)).flatMap(({ body }) => body.data.deletedIds);
    expect(deleted.toSorted()).toEqual(ids);
  });

  test('two halves of the active admins: one call removes its half, the other nobody', async () => {
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

  test('a call for some and single calls for the others leave one active admin', async () => {
    const ids = [active, ...(await insertAdmins('tenant', 9, 'active'))];
    const singles = ids.slice(5).map((id) => race('DELETE', `/admins/${id}`));
    await expectNoFailure([raceBulk(ids.slice(0, 5).toReversed()), ...singles, raceBulk([ids[9]!, ids[0]!])]);
    expect(await countActive()).toBeGreaterThan(0);
  });

  test('an invited admin who becomes active while it is removed does not leave the company without one', async () => {
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

  test('removals and resent invites of the same admins end without a 5xx', async () => {
    const ids = await insertAdmins('tenant', 12);
    const resent = ids.map((id) => race('POST', `/admins/${id}/resend-invite`));
    await expectNoFailure([raceBulk(ids), ...resent, raceBulk(ids.toReversed())]);
    const [left] = await testService.query('select count(*)::integer from messages');
    expect(left).toEqual({ count: 0 });
  });

  test.each([1, 2, 3])(
    'removals, changes, invites and setups of the same admins end without a 5xx (round %i)',
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
      for (const status of await Promise.all(setups)) expect([200, 404]).toContain(status);
      expect(await countActive()).toBeGreaterThan(0);
    },
  );
});
