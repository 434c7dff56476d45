import { type Answer, call, del, expectError, fingerprintOf, patch, post } from '../../support/client.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { expectNoFailure } from '../tenant-state.ts';
import {
  countPost,
  dorothy,
  expectOneLink,
  invite,
  messagesOf,
  passTime,
  race,
  restoreAdminsAfterEach,
} from './admin-state.ts';

const resend = (id: string, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(`/admins/${id}/resend-invite`, undefined, key);
const create = (fields: object = {}, key: CompanyName = 'tenant'): Promise<Answer> =>
  post('/admins', { ...dorothy, ...fields }, key);

/** Expects a call to return 429 naming the limit, with a Retry-After of at most `seconds`, and to change nothing. */
async function expectTooMany(request: () => Promise<Answer>, bound: string, seconds: number): Promise<void> {
  const before = [await fingerprintOf('tenant'), await countPost()];
  const answer = await request();
  expectError(answer, 429, 'rate_limited');
  const { message } = answer.body.error!;
  expect(message).toContain(`(${bound})`);
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(seconds);
  expect(message).toContain(`again in ${wait} seconds`);
  expect([await fingerprintOf('tenant'), await countPost()]).toEqual(before);
}

/** Logs invitations queued an hour ago, each to a different address or all to one address. */
async function storeInvites(company: CompanyName, count: number, address?: string): Promise<void> {
  await testService.query(
    `insert into mail_log (company_id, address_hash, is_invite, queued_at)
     select $1, address_hash(coalesce($3, n || '@stored.test')), true, now() - interval '1 hour' - n * interval '1 ms'
       from generate_series(1, $2::integer) as n`,
    [companies[company], count, address],
  );
}

restoreAdminsAfterEach();

describe('the limit of two invites in five minutes and five in 24 hours per address and company', () => {
  test('returns 429 with Retry-After and changes nothing', async () => {
    const { id } = await invite();
    expect((await resend(id)).status).toBe(200);
    const token = await expectOneLink(id);
    await expectTooMany(() => resend(id), '2 in 5 minutes', 300);
    expect(await expectOneLink(id)).toBe(token);
    await passTime('5 minutes');
    for (let n = 0; n < 2; n += 1) expect((await resend(id)).status).toBe(200);
    await passTime('5 minutes');
    expect((await resend(id)).status).toBe(200);
    await passTime('5 minutes');
    await expectTooMany(() => resend(id), '5 in 24 hours', 86_400);
    await passTime('24 hours');
    expect((await resend(id)).status).toBe(200);
  });

  test('holds if the admin is deleted and created again', async () => {
    for (let n = 0; n < 2; n += 1) {
      const { body } = await create();
      expect((await del(`/admins/${body.data.id}`)).status).toBe(200);
    }
    await expectTooMany(() => create(), '2 in 5 minutes', 300);
    expect((await create({ email: 'somebody.else@tenant.test' })).status).toBe(200);
  });

  test('holds for the address in any case', async () => {
    await storeInvites('tenant', 5, dorothy.email);
    await expectTooMany(() => create({ email: 'Dorothy.NEW@Tenant.TEST' }), '5 in 24 hours', 86_400);
  });

  test('holds if the address of an admin changes back and forth', async () => {
    const { id } = await invite();
    const change = (email: string) => patch(`/admins/${id}`, { email });
    expect((await change('fro@tenant.test')).status).toBe(200);
    expect((await change(dorothy.email)).status).toBe(200);
    expect((await change('fro@tenant.test')).status).toBe(200);
    await expectTooMany(() => change(dorothy.email), '2 in 5 minutes', 300);
  });

  test('does not count invites of another company', async () => {
    await storeInvites('other', 5, dorothy.email);
    expect((await create()).status).toBe(200);
  });

  test('holds for concurrent calls', async () => {
    await storeInvites('tenant', 4, dorothy.email);
    const { id } = await invite({ email: 'first@tenant.test' });
    const requests = Array.from({ length: 12 }, (_, n) =>
      n % 2 ? race('POST', '/admins', dorothy) : race('PATCH', `/admins/${id}`, { email: dorothy.email }),
    );
    const statuses = await expectNoFailure(requests);
    const [row] = await testService.query(
      `select count(*)::integer as invites from mail_log where company_id = $1 and address_hash = address_hash($2)`,
      [companies.tenant, dorothy.email],
    );
    expect([row, Object.keys(statuses).includes('200')]).toEqual([{ invites: 5 }, true]);
  });
});

describe('the limit of ten invites in 24 hours per address over all companies', () => {
  test('returns 429 without information about other companies', async () => {
    await storeInvites('other', 5, dorothy.email);
    await storeInvites('childA', 5, dorothy.email);
    const answer = await create({ email: dorothy.email.toUpperCase() });
    expectError(answer, 429, 'rate_limited');
    expect(answer.body.error!.message).toBe('Too many invitations to this address; try again in 82800 seconds.');
    expect(answer.headers.get('retry-after')).toBe('82800');
  });

  test('holds for concurrent calls', async () => {
    await storeInvites('other', 8, dorothy.email);
    const sent = await Promise.all(
      (['childA', 'msp', 'tenant', 'childA'] as const).map((key) =>
        call(key, 'POST', '/admins', { body: dorothy, alone: false }),
      ),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe('the limit of 200 invites in 24 hours per company', () => {
  test('returns 429 with Retry-After and changes nothing', async () => {
    await storeInvites('tenant', 199);
    const { id } = await invite();
    await expectTooMany(() => create({ email: 'next@tenant.test' }), '200 in 24 hours', 23 * 3600);
    await expectTooMany(() => resend(id), '200 in 24 hours', 23 * 3600);
    await passTime('24 hours');
    expect((await create({ email: 'next@tenant.test' })).status).toBe(200);
  });

  test('holds for concurrent calls', async () => {
    await storeInvites('tenant', 195);
    const requests = Array.from({ length: 15 }, (_, n) =>
      race('POST', '/admins', { ...dorothy, email: `n${n}@tenant.test` }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 5, 429: 10 });
  });

  test('does not affect another company', async () => {
    await storeInvites('other', 200);
    const { id } = await invite();
    expect(await messagesOf(id)).toHaveLength(1);
  });
});

test('the mail log contains no address, and no message of a deleted admin remains', async () => {
  const { id } = await invite();
  await del(`/admins/${id}`);
  const [row] = await testService.query(`select string_agg(l::text, ' ') as log from mail_log as l`);
  expect(row!.log).not.toContain('dorothy');
  expect(await countPost()).toMatchObject({ messages: 0 });
});

test('entries of the mail log older than a day are deleted', async () => {
  await storeInvites('tenant', 3);
  await passTime('23 hours 1 minute');
  await storeInvites('tenant', 2);
  await testService.query('select sweep_mail_log()');
  expect(await testService.query('select count(*)::integer as rows from mail_log')).toEqual([{ rows: 2 }]);
});
