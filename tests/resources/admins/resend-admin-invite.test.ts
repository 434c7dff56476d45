import { type Answer, expectError, fingerprintOf, post } from '../../support/client.ts';
import { adminId, learnerId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, meanwhile, whileSlow } from '../tenant-state.ts';
import {
  countPost,
  expectNow,
  expectOneLink,
  expectUndone,
  findListed,
  finishSetup,
  invite,
  messagesOf,
  passTime,
  POST_TABLES,
  pretendSent,
  race,
  restoreAdminsAfterEach,
  statusOfLink,
} from './admin-state.ts';

const [active, invited] = [adminId('tenant', 1), adminId('tenant', 2)];
const pathOf = (id: string): string => `/admins/${id}/resend-invite`;
const resend = (id: string): Promise<Answer> => post(pathOf(id));

restoreAdminsAfterEach();

describe('POST /admins/{adminId}/resend-invite', () => {
  test('changes only invitedAt and sends one invite', async () => {
    const before = await findListed(invited);
    const { status, body } = await resend(invited);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, invitedAt: expect.any(String) });
    expectNow(body.data.invitedAt);
    expect(await findListed(invited)).toEqual(body.data);
    expect(await statusOfLink(await expectOneLink(invited))).toBe(200);
    expect(await countPost()).toEqual({ messages: 1, jobs: 1 });
  });

  test('the new link works, and the queued message with the old link is cancelled', async () => {
    const { id, token } = await invite();
    const { text } = await resend(id);
    const next = await expectOneLink(id);
    expect(next).not.toBe(token);
    expect(text).not.toContain(next);
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['cancelled', 'queued']);
    expect(await statusOfLink(token)).toBe(404);
    expect(await finishSetup(token)).toBe(404);
    expect(await finishSetup(next)).toBe(200);
    expect(testService.log.join('')).not.toContain(next);
  });

  test('the link of a sent message stops working, and the message stays sent', async () => {
    const { id, token } = await invite();
    await pretendSent(id);
    await resend(id);
    await expectOneLink(id);
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual(['sent', 'queued']);
    expect(await statusOfLink(token)).toBe(404);
  });

  test('each call sends one invite', async () => {
    const { id } = await invite();
    for (let round = 0; round < 3; round += 1) {
      await passTime('5 minutes');
      await resend(id);
    }
    await expectOneLink(id);
    expect((await messagesOf(id)).map(({ status }) => status)).toEqual([...Array(3).fill('cancelled'), 'queued']);
  });

  test('an admin whose link has expired gets a new link', async () => {
    const { id, token } = await invite();
    await testService.query("update admins set setup_expires_at = now() - interval '1 day' where id = $1", [id]);
    expect(await statusOfLink(token)).toBe(404);
    await resend(id);
    expect(await finishSetup(await expectOneLink(id))).toBe(200);
  });

  test('the links of other admins keep working', async () => {
    const { token } = await invite();
    await resend(invited);
    expect(await statusOfLink(token)).toBe(200);
  });

  test.each(['msp', 'distributor', 'prospect'] as const)('a %s key can resend to its own admins', async (key) => {
    expect((await post(pathOf(adminId(key, 2)), undefined, key)).status).toBe(200);
    await expectOneLink(adminId(key, 2));
  });
});

describe('POST /admins/{adminId}/resend-invite with invalid input', () => {
  test('an active admin returns 400 and sends nothing', async () => {
    await expectRefused(() => resend(active), 400, 'admin_already_active');
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('an admin who has finished the setup returns 400', async () => {
    const { id, token } = await invite();
    expect(await finishSetup(token)).toBe(200);
    await expectRefused(() => resend(id), 400, 'admin_already_active');
  });

  test.each([
    ['of another company', adminId('other', 2)],
    ['of a learner', learnerId('tenant', 1)],
  ])('an id %s returns 404 and sends nothing', async (_case, id) => {
    await expectRefused(() => resend(id), 404, 'not_found');
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('an MSP without companyId cannot resend an invite to an admin of its child company', async () => {
    const before = await fingerprintOf('childA');
    expectError(await post(pathOf(adminId('childA', 2)), undefined, 'msp'), 404, 'not_found');
    expect(await fingerprintOf('childA')).toBe(before);
  });

  test.each(POST_TABLES)('keeps the existing link if the invite cannot be written to %s', async (table) => {
    const { id, token } = await invite();
    await expectUndone(table, 'POST', pathOf(id));
    expect(await expectOneLink(id)).toBe(token);
    expect(await statusOfLink(token)).toBe(200);
  });
});

describe('concurrent POST /admins/{adminId}/resend-invite requests', () => {
  test('one of ten calls sends an invite with a working link; the others return 429', async () => {
    const { id } = await invite();
    const requests = Array.from({ length: 10 }, () => race('POST', pathOf(id)));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 429: 9 });
    expect(await messagesOf(id)).toHaveLength(2);
    expect(await statusOfLink(await expectOneLink(id))).toBe(200);
  });

  test('resends, address changes and name changes leave one working link', async () => {
    const { id } = await invite();
    const requests = Array.from({ length: 15 }, (_, n) => {
      if (n === 0) return race('POST', pathOf(id));
      return race('PATCH', `/admins/${id}`, n % 2 === 1 ? { email: `n${n}@tenant.test` } : { lastName: `No ${n}` });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 15 });
    expect(await statusOfLink(await expectOneLink(id))).toBe(200);
    expect(await messagesOf(id)).toHaveLength(9);
  });

  test.each(['call', 'setup'])(
    'a resend and a setup with the old link (%s first): exactly one succeeds',
    async (first) => {
      const { id, token } = await invite();
      const outcome = { resent: 0, finished: 0 };
      await whileSlow('update', 'admins', async () => {
        const calls = [
          async () => void (outcome.resent = (await race('POST', pathOf(id))).status),
          async () => void (outcome.finished = await finishSetup(token)),
        ];
        if (first === 'setup') calls.reverse();
        const one = calls[0]!();
        await meanwhile();
        await Promise.all([one, calls[1]!()]);
      });
      const { status } = (await findListed(id))!;
      expect(outcome).toEqual(status === 'active' ? { resent: 400, finished: 200 } : { resent: 200, finished: 404 });
      if (status === 'active') expect(await messagesOf(id)).toHaveLength(1);
      else await expectOneLink(id);
    },
  );
});
