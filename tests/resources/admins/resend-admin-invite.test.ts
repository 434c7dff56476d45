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
  test('moves invitedAt and nothing else, and sends one invite', async () => {
    const before = await findListed(invited);
    const { status, body } = await resend(invited);
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, invitedAt: expect.any(String) });
    expectNow(body.data.invitedAt);
    expect(await findListed(invited)).toEqual(body.data);
    expect(await statusOfLink(await expectOneLink(invited))).toBe(200);
    expect(await countPost()).toEqual({ messages: 1, jobs: 1 });
  });

  test('the new link works, and the one that still waited to be sent is cancelled', async () => {
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

  test('the link of a message that is out stops working too, and the message stays sent', async () => {
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

  test('an admin whose link is past its time gets a new one', async () => {
    const { id, token } = await invite();
    await testService.query("update admins set setup_expires_at = now() - interval '1 day' where id = $1", [id]);
    expect(await statusOfLink(token)).toBe(404);
    await resend(id);
    expect(await finishSetup(await expectOneLink(id))).toBe(200);
  });

  test('the links of other admins go on working', async () => {
    const { token } = await invite();
    await resend(invited);
    expect(await statusOfLink(token)).toBe(200);
  });

  test.each(['msp', 'distributor', 'prospect'] as const)('a %s key resends to its own admins', async (key) => {
    expect((await post(pathOf(adminId(key, 2)), undefined, key)).status).toBe(200);
    await expectOneLink(adminId(key, 2));
  });
});

describe('POST /admins/{adminId}/resend-invite with what is refused', () => {
  test('an active admin answers 400 and nothing is sent', async () => {
    await expectRefused(() => resend(active), 400, 'admin_already_active');
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('an admin who has finished the setup answers 400', async () => {
    const { id, token } = await invite();
    expect(await finishSetup(token)).toBe(200);
    await expectRefused(() => resend(id), 400, 'admin_already_active');
  });

  test.each([
    ['of another company', adminId('other', 2)],
    ['of a learner', learnerId('tenant', 1)],
  ])('an id %s answers 404 and nothing is sent', async (_case, id) => {
    await expectRefused(() => resend(id), 404, 'not_found');
    expect(await countPost()).toEqual({ messages: 0, jobs: 0 });
  });

  test('an MSP cannot resend to an admin of its child', async () => {
    const before = await fingerprintOf('childA');
    expectError(await post(pathOf(adminId('childA', 2)), undefined, 'msp'), 404, 'not_found');
    expect(await fingerprintOf('childA')).toBe(before);
  });

  test.each(POST_TABLES)('an invite that cannot be written to %s leaves the link that was there', async (table) => {
    const { id, token } = await invite();
    await expectUndone(table, 'POST', pathOf(id));
    expect(await expectOneLink(id)).toBe(token);
    expect(await statusOfLink(token)).toBe(200);
  });
});

describe('POST /admins/{adminId}/resend-invite at the same time', () => {
  test('of ten calls one sends an invite, whose link alone works', async () => {
    const { id } = await invite();
    const requests = Array.from({ length: 10 }, () => race('POST', pathOf(id)));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 429: 9 });
    expect(await messagesOf(id)).toHaveLength(2);
    expect(await statusOfLink(await expectOneLink(id))).toBe(200);
  });

  test('calls, new addresses and changes of the name leave one link', async () => {
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
    'of a call and the setup with the link before it (%s first) one is refused',
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
