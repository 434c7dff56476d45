import { type Answer, expectError, fingerprintOf, patch } from '../../support/client.ts';
import { adminId, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, meanwhile, setPlan, whileSlow } from '../tenant-state.ts';
import { oddText, webAddresses } from '../text-cases.ts';
import {
  countPost,
  expectNow,
  expectOneLink,
  expectUndone,
  findListed,
  finishSetup,
  invite,
  messagesOf,
  POST_TABLES,
  pretendSent,
  race,
  restoreAdminsAfterEach,
  statusOfLink,
} from './admin-state.ts';

const active = adminId('tenant', 1);
const invited = adminId('tenant', 2);
const change = (id: string, fields: object): Promise<Answer> => patch(`/admins/${id}`, fields);

/** Changes an admin and returns the changed fields of the response. */
async function differences(id: string, fields: object): Promise<object> {
  const before = await findListed(id);
  const { status, body } = await change(id, fields);
  expect(status).toBe(200);
  expect(await findListed(id)).toEqual(body.data);
  return Object.fromEntries(
    Object.entries(body.data).filter(([key, value]) => value !== before![key as keyof typeof before]),
  );
}

restoreAdminsAfterEach();

describe('PATCH /admins/{adminId}', () => {
  test.each<[string, object]>([
    ['firstName', { firstName: 'Margaret' }],
    ['lastName', { lastName: 'Hamilton' }],
    ['locale', { locale: 'fr-CA' }],
    ['every field but the address', { firstName: 'Margaret', lastName: 'Hamilton', locale: 'fr' }],
    ['nothing', {}],
  ])('changes %s of an active and an invited admin and no other field', async (_field, fields) => {
    expect(await differences(active, fields)).toEqual(fields);
    expect(await differences(invited, fields)).toEqual(fields);
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('stores the locale de_CH as de-CH', async () => {
    expect(await differences(active, { locale: 'de_CH' })).toEqual({ locale: 'de-CH' });
  });

  test.each([
    'new1@tenant.test',
    'Admin1@TENANT.test',
    'admin1@gmail.com',
    'admin1@other.test',
    'learner1@tenant.test',
  ])('changes the address of an active admin to %s without an invite', async (email) => {
    expect(await differences(active, { email })).toEqual({ email });
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('an address from before the domain lock does not prevent other changes', async () => {
    await change(active, { email: 'mary@consultants.test' });
    await setPlan({ domainLock: true });
    const fields = { email: 'mary@consultants.test', firstName: 'Margaret' };
    expect(await differences(active, fields)).toEqual({ firstName: 'Margaret' });
    await setPlan({});
  });

  test('a repeated change changes nothing', async () => {
    const fields = { firstName: 'Margaret', locale: 'fr', email: 'margaret@tenant.test' };
    await change(active, fields);
    expect(await differences(active, fields)).toEqual({});
  });

  test('stores text of any script, and markup, in the names without surrounding white space', async () => {
    expect(await differences(active, { firstName: oddText, lastName: oddText })).toEqual({
      firstName: oddText.trim(),
      lastName: oddText.trim(),
    });
  });

  test('another admin can take an address that is no longer used', async () => {
    await change(active, { email: 'new1@tenant.test' });
    expect(await differences(invited, { email: 'admin1@tenant.test' })).toMatchObject({ email: 'admin1@tenant.test' });
  });
});

describe('PATCH /admins/{adminId} with a new address for an invited admin', () => {
  test('sends a new link, changes invitedAt, cancels the old message and disables its link', async () => {
    const { id, token } = await invite();
    await testService.query("update admins set invited_at = '2026-01-05T09:00:00Z' where id = $1", [id]);
    const changed = await differences(id, { email: 'typo.fixed@tenant.test' });
    expect(changed).toEqual({ email: 'typo.fixed@tenant.test', invitedAt: expect.any(String) });
    expectNow((await findListed(id))!.invitedAt!);
    const next = await expectOneLink(id);
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['cancelled', 'queued']);
    expect(await statusOfLink(token)).toBe(404);
    expect(await statusOfLink(next)).toBe(200);
  });

  test('the link of a sent message stops working, and the message stays sent', async () => {
    const { id, token } = await invite();
    await pretendSent(id);
    await change(id, { email: 'typo.fixed@tenant.test' });
    await expectOneLink(id);
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['sent', 'queued']);
    expect(await finishSetup(token)).toBe(404);
  });

  test('an admin without a link gets a link', async () => {
    await change(invited, { email: 'new2@tenant.test' });
    expect(await statusOfLink(await expectOneLink(invited))).toBe(200);
  });

  test('a repeated call sends no second invite', async () => {
    const { id } = await invite();
    await change(id, { email: 'typo.fixed@tenant.test' });
    const token = await expectOneLink(id);
    expect(await differences(id, { email: 'typo.fixed@tenant.test' })).toEqual({});
    expect(await expectOneLink(id)).toBe(token);
    expect(await messagesOf(id)).toHaveLength(2);
  });

  test('the same address in another case sends nothing, and the link keeps working', async () => {
    const { id, token } = await invite();
    expect(await differences(id, { email: 'Dorothy.NEW@Tenant.TEST' })).toEqual({ email: 'Dorothy.NEW@Tenant.TEST' });
    expect(await expectOneLink(id)).toBe(token);
    expect(await statusOfLink(token)).toBe(200);
  });

  test('changes of other fields send nothing and keep the link', async () => {
    const { id, token } = await invite();
    await change(id, { firstName: 'Dot', locale: 'fr' });
    expect(await expectOneLink(id)).toBe(token);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test.each(POST_TABLES)(
    'keeps the address and the link of the admin if the invite cannot be written to %s',
    async (table) => {
      const { id, token } = await invite();
      await expectUndone(table, 'PATCH', `/admins/${id}`, { email: 'typo.fixed@tenant.test' });
      expect(await expectOneLink(id)).toBe(token);
    },
  );
});

describe('PATCH /admins/{adminId} with invalid input', () => {
  test('with domain lock on, an address in another domain returns 400 and changes nothing', async () => {
    await setPlan({ domainLock: true });
    for (const id of [active, invited]) {
      const answer = () => change(id, { lastName: 'New', email: 'mary@consultants.test' });
      await expectRefused(answer, 400, 'email_domain_not_allowed', ['body/email']);
    }
    await setPlan({});
  });

  test.each(webAddresses)('the name %j returns 400 naming the fields and changes nothing', async (name) => {
    const answer = () => change(active, { locale: 'fr', firstName: name, lastName: name });
    await expectRefused(answer, 400, 'invalid_request', ['body/firstName', 'body/lastName']);
  });

  test.each<[string, unknown]>([
    ['firstName', null],
    ['email', null],
    ['email', ''],
    ['email', 'no address'],
    ['email', 'admin1@tenant.test\0'],
    ['locale', null],
    ['locale', 'de CH'],
    ['status', 'active'],
    ['invitedAt', '2026-01-05T09:00:00.000Z'],
    ['id', unknownId],
    ['role', 'reader'],
  ])('%s %j returns 400 naming the field and changes nothing', async (field, value) => {
    const answer = () => change(invited, { lastName: 'New', [field]: value });
    await expectRefused(answer, 400, 'invalid_request', [`body/${field}`]);
  });

  test.each(['admin2@tenant.test', 'ADMIN2@tenant.test'])(
    'the address %s of another admin returns 400 naming the field and changes nothing',
    async (email) => {
      const answer = () => change(active, { locale: 'fr', email });
      const { text } = await expectRefused(answer, 400, 'email_taken', ['body/email']);
      expect(text).not.toMatch(/learner/i);
    },
  );

  test('an existing address for an invited admin sends nothing and keeps the link', async () => {
    const { id, token } = await invite();
    await expectRefused(() => change(id, { email: 'admin1@tenant.test' }), 400, 'email_taken', ['body/email']);
    expect(await expectOneLink(id)).toBe(token);
    expect(await countPost()).toEqual({ messages: 1, jobs: 1 });
  });

  test.each([
    ['of another company', adminId('other', 1)],
    ['of a learner', learnerId('tenant', 1)],
  ])('an id %s returns 404', async (_case, id) => {
    await expectRefused(() => change(id, { email: 'new@tenant.test' }), 404, 'not_found');
  });

  test('an MSP without companyId cannot change an admin of its child company', async () => {
    const before = await fingerprintOf('childA');
    const answer = await patch(`/admins/${adminId('childA', 2)}`, { email: 'taken.over@msp.test' }, 'msp');
    expectError(answer, 404, 'not_found');
    expect(await fingerprintOf('childA')).toBe(before);
  });
});

describe('concurrent PATCH /admins/{adminId} requests', () => {
  test('12 new addresses for an invited admin leave one working link', async () => {
    const { id } = await invite();
    const requests = Array.from({ length: 12 }, (_, n) =>
      race('PATCH', `/admins/${id}`, { email: `n${n}@tenant.test` }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expect(await statusOfLink(await expectOneLink(id))).toBe(200);
    expect(await messagesOf(id)).toHaveLength(13);
  });

  test('six requests with the same new address send one invite', async () => {
    const { id } = await invite();
    const requests = Array.from({ length: 6 }, () => race('PATCH', `/admins/${id}`, { email: 'fixed@tenant.test' }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 6 });
    await expectOneLink(id);
    expect(await messagesOf(id)).toHaveLength(2);
  });

  test('exactly one of two admins gets the same new address', async () => {
    const requests = [active, invited].map((id) => race('PATCH', `/admins/${id}`, { email: 'wanted@tenant.test' }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 1 });
  });

  test('two admins who swap addresses both get 400', async () => {
    await whileSlow('update', 'admins', async () => {
      const requests = [
        race('PATCH', `/admins/${active}`, { email: 'admin2@tenant.test' }),
        race('PATCH', `/admins/${invited}`, { email: 'admin1@tenant.test' }),
      ];
      expect(await expectNoFailure(requests)).toEqual({ 400: 2 });
    });
  });

  test.each(['PATCH', 'setup'])(
    'a new address during the setup (%s first) leaves an active admin or a new link',
    async (first) => {
      const { id, token } = await invite();
      let finished = 0;
      await whileSlow('update', 'admins', async () => {
        const calls = [
          async () => expect((await race('PATCH', `/admins/${id}`, { email: 'fixed@tenant.test' })).status).toBe(200),
          async () => void (finished = await finishSetup(token)),
        ];
        if (first === 'setup') calls.reverse();
        const one = calls[0]!();
        await meanwhile();
        await Promise.all([one, calls[1]!()]);
      });
      const { status, email } = (await findListed(id))!;
      expect({ finished, status, email }).toEqual(
        status === 'active'
          ? { finished: 200, status: 'active', email: 'fixed@tenant.test' }
          : { finished: 404, status: 'invited', email: 'fixed@tenant.test' },
      );
      if (status === 'active') expect(await messagesOf(id)).toHaveLength(1);
      else expect(await statusOfLink(await expectOneLink(id))).toBe(200);
    },
  );

  test('never return a 5xx if the admin is deleted concurrently', async () => {
    const { id } = await invite();
    await whileSlow('update', 'admins', async () => {
      const requests = [race('PATCH', `/admins/${id}`, { email: 'fixed@tenant.test' })];
      await meanwhile();
      requests.push(race('DELETE', `/admins/${id}`), race('DELETE', '/admins/bulk', { adminIds: [id] }));
      await expectNoFailure(requests);
    });
    expect(await findListed(id)).toBeUndefined();
    expect(await messagesOf(id)).toEqual([]);
  });
});
