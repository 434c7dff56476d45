import { openServicePool } from '../../support/service-pool.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { preparing } from '../../../src/mail/sending/prepare-message.ts';
import { prepareMessage } from '../../support/queued-messages.ts';
import { get, patch } from '../../support/client.ts';
import { Learner, makeLink } from '../../support/learner.ts';
import { earlier } from '../../support/passing-time.ts';
import { companies, learnerId } from '../../support/world.ts';
import { restorePolicies } from '../policies/policy-state.ts';
import { record } from '../policies/signature-event-state.ts';
import { policyId, versionId } from '../../support/world-policies.ts';

restorePolicies();
const pool = openServicePool(2);
afterAll(() => pool.end());
const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);

const id = learnerId('tenant', 2);
const names = { firstName: 'Grace', lastName: 'tenant' };
const move = (email: string) => patch(`/learners/${id}`, { ...names, email });
afterEach(async () => {
  await query(`update learners set email = 'learner2@tenant.test' where id = $1`, [id]);
  await query(`update learners set email_changed_at = null`);
  await query('delete from messages');
  await query('delete from graphile_worker._private_jobs');
});

const settings = (language: string) => ({
  ...{ from: { name: 'Security Awareness', address: 'awareness@sender.test' }, contact: 'help@sender.test' },
  ...{ trainingUrl: undefined, publicUrl: 'https://awareness.test', language },
});

interface SentMail {
  to: string;
  subject: string;
  text: string;
}

/** Sends the queued emails about address changes and returns them in the order of their recipients. */
async function sent(): Promise<SentMail[]> {
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  const rows = await query(`select id from messages where kind = 'learner_address_changed' and status = 'queued'`);
  const mails: SentMail[] = [];
  for (const { id: messageId } of rows) {
    const prepared = await prepareMessage(tenant, preparing(settings('en')), messageId as string);
    if (!prepared) throw new Error('not sent');
    const { to, subject, text } = prepared.mail;
    mails.push({
      to: (to as { address: string }).address,
      subject: subject!,
      text: (text as string).replaceAll('\u200b', ''),
    });
    await prepared.settle({ status: 'sent' });
  }
  return mails.toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

describe("a learner's changed e-mail address", () => {
  test('is reported to the old address without naming the new one, and the sent message keeps no address', async () => {
    expect((await move('stranger@tenant.test')).status).toBe(200);
    const [mail, ...more] = await sent();
    expect(more).toEqual([]);
    expect(mail!.to).toBe('learner2@tenant.test');
    expect(`${mail!.subject} ${mail!.text}`).not.toContain('stranger@');
    expect(mail!.text).not.toContain('/learn/sign-in/');
    expect(await query('select from messages where to_address is not null')).toEqual([]);
  });

  test.each([
    ['en', /has changed/],
    ['de', /wurde geändert/],
    ['fr', /a été modifiée/],
  ])('is reported in the language %s of the learner', async (locale, words) => {
    await patch(`/learners/${id}`, { ...names, locale });
    await move('stranger@tenant.test');
    expect((await sent())[0]!.subject).toMatch(words);
    await patch(`/learners/${id}`, { ...names, locale: 'en' });
  });

  test('is not reported if only its case differs', async () => {
    await move('LEARNER2@tenant.test');
    expect(await sent()).toEqual([]);
  });

  test('is reported to each old address by a bulk update, even if two learners swap addresses', async () => {
    const [one, two] = [learnerId('tenant', 2), learnerId('tenant', 3)];
    const learners = [
      { learner: { id: one }, email: 'learner3@tenant.test' },
      { learner: { id: two }, email: 'learner2@tenant.test' },
    ];
    const { body } = await patch('/learners/bulk', { learners });
    expect(body.data).toMatchObject({ success: true });
    expect((await sent()).map(({ to }) => to)).toEqual(['learner2@tenant.test', 'learner3@tenant.test']);
    await query(`update learners set email = 'x' || id where id = any($1)`, [[one, two]]);
    await query(`update learners set email = 'learner3@tenant.test' where id = $1`, [two]);
  });

  test('is reported at most five times a day', async () => {
    for (let time = 0; time < 7; time += 1) await move(`stranger${time}@tenant.test`);
    expect(await sent()).toHaveLength(5);
  });

  test('ends the sessions and sign-in links of the learner', async () => {
    const [learner, link] = [await Learner.of('tenant', 2), await makeLink('tenant', 2)];
    await move('stranger@tenant.test');
    expect(await learner.isIn()).toBe(false);
    await expect(Learner.by(link)).rejects.toThrow();
  });
});

describe('a signature', () => {
  const sign = async () => {
    const learner = await Learner.of('tenant', 2);
    const page = `/learn/policies/${policyId('tenant', 1)}`;
    await learner.post(`${page}/visits`, { versionId: versionId('tenant', 1) });
    const fields = { name: 'Grace tenant', agreed: 'yes', versionId: versionId('tenant', 1) };
    expect((await learner.post(`${page}/signatures`, fields)).status).toBe(303);
  };
  const signatures = async () => {
    const ofPolicy = (await get(`/policies/${policyId('tenant', 1)}?includeSignatures=true`)).body.data.signatures;
    const results = (await get(`/learners/${id}/policy-results?includeSignatures=true`)).body.data;
    const ofLearner = results.flatMap(({ signatures }: { signatures: object[] }) => signatures);
    const mine = (list: any[]) =>
      list.filter((one) => one.learnerId === id && one.policyId === policyId('tenant', 1)).at(-1);
    return [mine(ofPolicy), mine(ofLearner)];
  };
  test('within seven days of an address change has emailChangedAt', async () => {
    await move('stranger@tenant.test');
    await query(`update learners set ${earlier('email_changed_at')} where id = $2`, ['6 days', id]);
    const [row] = await query('select email_changed_at as at from learners where id = $1', [id]);
    await sign();
    for (const one of await signatures()) expect(one.emailChangedAt).toBe((row!.at as Date).toISOString());
  });

  test('eight days after an address change has a null emailChangedAt', async () => {
    await move('stranger@tenant.test');
    await query(`update learners set ${earlier('email_changed_at')} where id = $2`, ['8 days', id]);
    await sign();
    for (const one of await signatures()) expect(one.emailChangedAt).toBeNull();
  });

  test('recorded from elsewhere has emailChangedAt only if signed after the address change', async () => {
    await move('stranger@tenant.test');
    await query(`update learners set ${earlier('email_changed_at')} where id = $2`, ['2 days', id]);
    const inputs = [1, 3].map((days) => ({
      ...{ eventId: `paper-${days}`, learner: { id } },
      signedAt: new Date(Date.now() - days * 86_400_000).toISOString(),
    }));
    const answer = await record(...inputs);
    expect([answer.status, answer.body.data?.failures]).toEqual([200, []]);
    const ofPolicy = (await get(`/policies/${policyId('tenant', 1)}?includeSignatures=true`)).body.data
      .signatures as any[];
    const saysSo = (days: number) =>
      ofPolicy.find(({ eventId }) => eventId === `paper-${days}`).emailChangedAt !== null;
    expect([saysSo(1), saysSo(3)]).toEqual([true, false]);
  });
});
