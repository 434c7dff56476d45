import { del, patch, post } from '../support/client.ts';
import { earlier } from '../support/passing-time.ts';
import { companies, learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { bothCourses, createLearner, enroll, forgetMail, messagesTo, remind } from './transport-support.ts';

const { phishing, passwords } = managedCourses;
const policy = policyId('tenant', 1);

afterEach(async () => {
  await forgetMail();
  await testService.query('delete from policy_results where company_id = $1 and signed is null', [companies.tenant]);
});

const unenroll = (id: string, courseIds = [phishing]) => post('/course-unenrollments', { courseIds, learnerIds: [id] });
const assign = (id: string) => post('/policy-assignments', { policyIds: [policy], learnerIds: [id] });
const remove = (id: string) => post('/policy-removals', { policyIds: [policy], learnerIds: [id] });

/** Returns the kinds of the messages to a learner, except notices of a changed address. */
const kindsTo = async (id: string): Promise<string[]> =>
  (await messagesTo(id)).map(({ kind }) => kind).filter((kind) => kind !== 'learner_address_changed');

/** Marks all waiting messages as sent. */
async function pretendSent(): Promise<void> {
  await testService.query(`update messages set status = 'sent', settled_at = now() where status = 'queued'`);
}

/** Backdates all messages and the mail log by an interval. */
async function passTime(interval: string): Promise<void> {
  await testService.query(`update messages set ${earlier('created_at')}`, [interval]);
  await testService.query(`update mail_log set ${earlier('queued_at')}`, [interval]);
}

/** Records a number of messages of the tenant to an address, an hour ago. */
async function storeMail(address: string, count: number): Promise<void> {
  await testService.query(
    `insert into mail_log (company_id, address_hash, is_invite, queued_at)
     select $1, address_hash($2), false, now() - interval '1 hour' - n * interval '1 ms' from generate_series(1, $3::integer) as n`,
    [companies.tenant, address, count],
  );
}

describe('within an hour, a learner gets no second message', () => {
  test.each([
    ['about a removed enrolment once the message is sent', pretendSent],
    ['about a removed enrolment while the message is queued', () => Promise.resolve()],
  ])('%s', async (_case, meanwhile) => {
    const { id } = await createLearner();
    for (let n = 0; n < 4; n += 1) {
      await enroll([id]);
      await meanwhile();
      expect((await unenroll(id)).body.data.removed).toHaveLength(1);
    }
    await enroll([id]);
    expect(await kindsTo(id)).toEqual(['course_enrollment']);
    await passTime('1 hour');
    await unenroll(id);
    await enroll([id]);
    expect(await kindsTo(id)).toEqual(['course_enrollment', 'course_enrollment']);
  });

  test('about a removed assignment', async () => {
    const { id } = await createLearner();
    for (let n = 0; n < 4; n += 1) {
      expect((await assign(id)).body.data).toMatchObject({ success: true });
      await pretendSent();
      expect((await remove(id)).body.data.removed).toHaveLength(1);
    }
    expect(await kindsTo(id)).toEqual(['policy_request']);
    await passTime('1 hour');
    await assign(id);
    expect(await kindsTo(id)).toEqual(['policy_request', 'policy_request']);
  });

  test('as a reminder of an enrolment that was removed and repeated', async () => {
    const { id } = await createLearner();
    for (let n = 0; n < 3; n += 1) {
      await enroll([id]);
      await remind([id]);
      await pretendSent();
      await unenroll(id);
    }
    expect((await kindsTo(id)).toSorted()).toEqual(['course_enrollment', 'course_reminder']);
  });

  test('except about a new course, which is named without the old one', async () => {
    const { id } = await createLearner();
    await enroll([id]);
    await unenroll(id);
    await enroll([id], bothCourses);
    const rows = await testService.query('select subject_ids from messages where learner_id = $1 order by created_at', [
      id,
    ]);
    expect(rows).toEqual([{ subject_ids: [phishing] }, { subject_ids: [passwords] }]);
  });

  test('unless the first message failed or was cancelled', async () => {
    const { id } = await createLearner();
    for (const status of ['failed', 'cancelled']) {
      await enroll([id]);
      await testService.query('update messages set status = $1, settled_at = now() where settled_at is null', [status]);
      await unenroll(id);
    }
    await enroll([id]);
    expect(await kindsTo(id)).toHaveLength(3);
  });

  test('while another learner gets a first message', async () => {
    const [one, other] = [await createLearner(), await createLearner()];
    await enroll([one.id]);
    await unenroll(one.id);
    await enroll([one.id, other.id]);
    expect([await kindsTo(one.id), await kindsTo(other.id)]).toEqual([['course_enrollment'], ['course_enrollment']]);
  });
});

describe('the limit of 20 messages of a company to an address in 24 hours', () => {
  test('allows the next enrolment without a message', async () => {
    const { id, email } = await createLearner();
    await storeMail(email, 19);
    await enroll([id]);
    await remind([id]);
    expect(await kindsTo(id)).toEqual(['course_enrollment']);
    await enroll([id], bothCourses);
    expect((await unenroll(id, bothCourses)).body.data.removed).toHaveLength(2);
    await passTime('24 hours');
    await enroll([id]);
    expect(await kindsTo(id)).toHaveLength(2);
  });

  test('remains when the learner is deleted and created again, in any case of the address', async () => {
    const { id, email } = await createLearner();
    await storeMail(email, 20);
    await del(`/learners/${id}`);
    const again = await createLearner({ email: email.toUpperCase() });
    await enroll([again.id]);
    expect(await kindsTo(again.id)).toEqual([]);
  });

  test('stays with the address when another learner gets it', async () => {
    const [one, other] = [await createLearner(), await createLearner()];
    await storeMail(one.email, 20);
    const names = { firstName: 'Radia', lastName: 'Perlman' };
    await patch(`/learners/${one.id}`, { ...names, email: 'moved@tenant.test' });
    await patch(`/learners/${other.id}`, { ...names, email: one.email });
    await enroll([one.id, other.id]);
    expect([await kindsTo(one.id), await kindsTo(other.id)]).toEqual([['course_enrollment'], []]);
  });
});

describe('the limit of 100 messages of a company in 24 hours, and 10 more for each active learner,', () => {
  async function roomLeft(left: number): Promise<void> {
    const [row] = await testService.query('select active from company_seats where company_id = $1', [companies.tenant]);
    const all = 100 + 10 * (row!.active as number);
    await testService.query(
      `insert into mail_log (company_id, address_hash, is_invite, queued_at)
       select $1, address_hash(n || '@gone.test'), false, now() - interval '1 hour' from generate_series(1, $2::integer) as n`,
      [companies.tenant, all - left],
    );
  }
  const countQueued = async (): Promise<unknown> =>
    (await testService.query('select count(*)::integer as queued from messages'))[0]!.queued;

  test('allows further enrolments without messages', async () => {
    const created = [await createLearner(), await createLearner(), await createLearner()];
    await roomLeft(2);
    await enroll(created.map(({ id }) => id));
    expect(await countQueued()).toBe(2);
    await remind(created.map(({ id }) => id));
    expect(await countQueued()).toBe(2);
  });

  test('does not affect other companies', async () => {
    const { id } = await createLearner();
    await roomLeft(0);
    const other = { courseIds: [ownCourseId('other')], learnerIds: [learnerId('other', 1)] };
    expect((await post('/course-enrollments', other, 'other')).body.data).toMatchObject({ success: true });
    await enroll([id]);
    expect(await testService.query('select company_id from messages')).toEqual([{ company_id: companies.other }]);
  });
});
