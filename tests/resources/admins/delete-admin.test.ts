import { type Answer, del, expectError, fingerprintOf, post } from '../../support/client.ts';
import { adminId, companies, learnerId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../tenant-state.ts';
import {
  activate,
  countActive,
  dorothy,
  findListed,
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
const remove = (id: string): Promise<Answer> => del(`/admins/${id}`);

restoreAdminsAfterEach();

describe('DELETE /admins/{adminId}', () => {
  test('deletes an invited admin with its messages and link, and a repeated call returns 404', async () => {
    const { id, token } = await invite();
    const { status, body } = await remove(id);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id } } });
    expect(await idsOf('tenant')).toEqual([active, invited]);
    expect(await messagesOf(id)).toEqual([]);
    expect(await statusOfLink(token)).toBe(404);
    expect(await finishSetup(token)).toBe(404);
    expectError(await remove(id), 404, 'not_found');
  });

  test('deletes an active admin if another admin is active', async () => {
    await activate(invited);
    expect((await remove(active)).body.data).toEqual({ id: active });
    await expectRefused(() => remove(invited), 400, 'last_admin');
    expect(await idsOf('tenant')).toEqual([invited]);
  });

  test('the last active admin returns 400 last_admin, even with invited admins', async () => {
    await insertAdmins('tenant', 3);
    await expectRefused(() => remove(active), 400, 'last_admin');
  });

  test('active admins of other companies do not count', async () => {
    expect(await countActive('other')).toBe(1);
    await expectRefused(() => remove(active), 400, 'last_admin');
  });

  test('deletes the last invited admin of a company without active admins', async () => {
    await testService.query("delete from admins where company_id = $1 and status = 'active'", [companies.tenant]);
    expect((await remove(invited)).status).toBe(200);
    expect(await idsOf('tenant')).toEqual([]);
  });

  test('a new admin can take the address of a deleted admin', async () => {
    const { id } = await invite();
    await remove(id);
    expect((await invite({ email: dorothy.email.toUpperCase() })).id).not.toBe(id);
  });

  test.each([
    ['of another company', adminId('other', 2)],
    ['of a learner', learnerId('tenant', 1)],
  ])('an id %s returns 404', async (_case, id) => {
    await expectRefused(() => remove(id), 404, 'not_found');
  });

  test('an MSP without companyId cannot delete an admin of its child company', async () => {
    const before = await fingerprintOf('childA');
    expectError(await del(`/admins/${adminId('childA', 2)}`, undefined, 'msp'), 404, 'not_found');
    expect(await fingerprintOf('childA')).toBe(before);
  });
});

describe('concurrent DELETE /admins/{adminId} requests', () => {
  test('exactly one of ten deletions of an invited admin succeeds', async () => {
    const requests = Array.from({ length: 10 }, () => race('DELETE', `/admins/${invited}`));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 404: 9 });
  });

  test('exactly one of ten deletions of one of two active admins succeeds', async () => {
    await activate(invited);
    const requests = Array.from({ length: 10 }, () => race('DELETE', `/admins/${invited}`));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 404: 9 });
  });

  test('deletions of both active admins leave one', async () => {
    await activate(invited);
    await whileSlow('delete', 'admins', async () => {
      const requests = [race('DELETE', `/admins/${active}`), race('DELETE', `/admins/${invited}`)];
      expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 1 });
    });
    expect(await countActive()).toBe(1);
  });

  test.each([1, 2, 3, 4, 5])('deletions of all 12 active admins leave one (round %i)', async () => {
    const ids = [active, ...(await insertAdmins('tenant', 11, 'active'))];
    const requests = ids.map((id) => race('DELETE', `/admins/${id}`));
    expect(await expectNoFailure(requests)).toEqual({ 200: 11, 400: 1 });
    expect(await countActive()).toBe(1);
  });

  test('deleting an invited admin during its setup leaves one active admin', async () => {
    const { id, token } = await invite();
    await whileSlow('delete', 'admins', async () => {
      const requests = [race('DELETE', `/admins/${id}`)];
      await meanwhile();
      const finishing = finishSetup(token);
      await meanwhile();
      requests.push(race('DELETE', `/admins/${active}`));
      await expectNoFailure(requests);
      expect([200, 404]).toContain(await finishing);
    });
    expect(await countActive()).toBe(1);
  });

  test('deleting the last active admin during a setup leaves an active admin', async () => {
    const { id, token } = await invite();
    await whileSlow('update', 'admins', async () => {
      const finishing = finishSetup(token);
      await meanwhile();
      await expectNoFailure([race('DELETE', `/admins/${active}`)]);
      expect(await finishing).toBe(200);
    });
    expect(await findListed(id)).toMatchObject({ status: 'active' });
    expect(await countActive()).toBeGreaterThan(0);
  });

  test('deletions and resent invites of one admin never return a 5xx', async () => {
    const { id } = await invite();
    await whileSlow('insert', 'messages', async () => {
      const requests = [race('POST', `/admins/${id}/resend-invite`)];
      await meanwhile();
      requests.push(race('DELETE', `/admins/${id}`));
      await meanwhile();
      requests.push(race('POST', `/admins/${id}/resend-invite`));
      await expectNoFailure(requests);
    });
    expect(await findListed(id)).toBeUndefined();
    expect(await messagesOf(id)).toEqual([]);
  });

  test('creating an admin with the address of an admin being deleted never returns a 5xx', async () => {
    const { id } = await invite();
    await whileSlow('delete', 'admins', async () => {
      const requests = [race('DELETE', `/admins/${id}`)];
      await meanwhile();
      requests.push(race('POST', '/admins', dorothy));
      expect((await Promise.all(requests))[0]!.status).toBe(200);
      await expectNoFailure(requests);
    });
    expectError(await post('/admins', { ...dorothy, email: 'admin1@tenant.test' }), 400, 'email_taken');
  });
});
