import { patch } from '../../../support/client.ts';
import { companies, managedCourses } from '../../../support/world.ts';
import { corrected } from '../../corrections/correction-state.ts';
import { evaluate, phishing, runCampaign } from '../campaign-state.ts';
import { createLearner, dayOf, finish, firstDay, forgetCampaigns, inDays, liveDays } from './message-state.ts';
import { nextWorkingDays, queueAt, sendAt, workAt, workingDay } from './message-state.ts';

const passwords = { type: 'course', id: managedCourses.passwords };
const forOnly = (...learners: { id: string }[]) => ({ include: [{ learnerIds: learners.map(({ id }) => id) }] });
afterEach(forgetCampaigns);

test('a learner gets one message about all open assignments on each working day on which one is due', async () => {
  const learner = await createLearner();
  await runCampaign({ audience: forOnly(learner) });
  const reminders = { before: [3], after: [2] };
  await runCampaign({ audience: forOnly(learner), items: [passwords], due: { days: 10 }, reminders });
  const offsets = [14 - 7, 14 - 1, 14 + 1, 14 + 7, 14 + 14, 10 - 3, 10 + 2];
  const expected = new Set([firstDay(), ...offsets.map((days) => workingDay(inDays(days)))]);
  const mails = await liveDays(40);
  expect(mails.map(({ day }) => day)).toEqual([...expected].toSorted());
  expect(mails[0]!.subject).toBe('Please finish: 2 courses and policies');
  expect(mails[0]!.text).toMatch(/“Phishing.*”, due by \d+ \w+ \d{4}\n- “.*”, due by|due by.*\n.*due by/);
  expect(mails.at(-1)!.text).toMatch(/overdue since the end of \d/);
});

test("a message is in the learner's language, and contains the additions of the campaign", async () => {
  const learner = await createLearner({ locale: 'de-CH' });
  const texts = { message: 'Bitte vor dem Audit. Es dauert zehn Minuten.', replyName: 'Jane Doe' };
  await runCampaign({ audience: forOnly(learner), ...texts });
  const [mail] = await liveDays(4);
  expect(mail!.subject).toMatch(/^Bitte erledigen: „/);
  const due = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' }).format(inDays(14));
  for (const part of [`fällig bis zum ${due}`, texts.message, 'Wenden Sie sich an Jane Doe.']) {
    expect(mail!.text).toContain(part);
  }
});

test('a message omits assignments completed since it was queued; they open again if the result is voided', async () => {
  const learner = await createLearner();
  await runCampaign({ audience: forOnly(learner), items: [phishing, passwords], reminders: { after: [] } });
  const at = inDays(nextWorkingDays());
  await queueAt(at);
  await finish(learner, passwords.id);
  const [mail] = await sendAt(at);
  expect(mail!.subject).toMatch(/^Please finish: “/);
  const later = nextWorkingDays(6);
  const nextAt = inDays(later);
  await queueAt(nextAt);
  await finish(learner, phishing.id);
  expect(await sendAt(nextAt)).toEqual([]);
  expect(await testService.query('select from campaign_assignments where mail_at is not null')).toEqual([]);
  await corrected({ eventId: phishing.id, action: 'void' });
  await evaluate();
  expect(await liveDays(10, later + 1)).toMatchObject([{ subject: mail!.subject }]);
});

test('a message that misses the working hours is sent on the next working morning', async () => {
  const learner = await createLearner({ timeZone: 'Asia/Tokyo' });
  await runCampaign({ audience: forOnly(learner) });
  const first = nextWorkingDays(1);
  await queueAt(inDays(first, '05:00'));
  expect(await sendAt(inDays(first, '09:00'))).toEqual([]);
  const [message] = await testService.query('select status, reason from messages');
  expect(message).toEqual({ status: 'cancelled', reason: 'outside working hours' });
  const second = nextWorkingDays(2);
  expect(await workAt(inDays(second - 1, '23:50'))).toEqual([]);
  expect(await workAt(inDays(second, '00:10'))).toMatchObject([{ to: learner.email }]);
});

test('a waiting message is not sent if its assignments are completed', async () => {
  const learner = await createLearner();
  const audience = forOnly(learner);
  await runCampaign({ audience, reminders: { before: [7], after: [] } });
  await runCampaign({ audience, items: [passwords], reminders: { before: [], after: [] } });
  expect(await liveDays(4)).toHaveLength(1);
  const day = workingDay(inDays(7));
  expect(await workAt(new Date(`${day}T18:00:00Z`))).toEqual([]);
  await finish(learner, phishing.id);
  expect(await liveDays(7, 8)).toEqual([]);
});

test('one message makes up for days without a worker, and none follows if the clock is set back', async () => {
  const learner = await createLearner();
  await runCampaign({ audience: forOnly(learner), reminders: { before: [13, 12, 11, 10, 9], after: [] } });
  const at = inDays(nextWorkingDays(4));
  await queueAt(inDays(nextWorkingDays(3)));
  expect(await workAt(at)).toHaveLength(1);
  await testService.query(`update campaign_assignments set mail_at = '2026-01-01' where mail_at is not null`);
  expect(await workAt(at)).toEqual([]);
  expect(await workAt(inDays(nextWorkingDays(2)))).toEqual([]);
});

test('a paused campaign sends nothing until it is active again, and an inactive learner gets nothing', async () => {
  const [learner, inactive] = [await createLearner(), await createLearner()];
  const campaignId = await runCampaign({ audience: forOnly(learner, inactive), keepOpenAfterLeaving: true });
  await patch(`/campaigns/${campaignId}`, { status: 'paused' });
  await testService.query('update learners set inactive = true where id = $1', [inactive.id]);
  expect(await liveDays(8)).toEqual([]);
  await patch(`/campaigns/${campaignId}`, { status: 'active' });
  await evaluate();
  expect(await workAt(inDays(nextWorkingDays()))).toMatchObject([{ to: learner.email }]);
});

test('a learner on leave gets nothing until the first working morning after it, even if a message is queued', async () => {
  const learner = await createLearner();
  await runCampaign({ audience: forOnly(learner), due: { days: 3 }, reminders: { before: [1], after: [1] } });
  const at = inDays(nextWorkingDays());
  await queueAt(at);
  const end = nextWorkingDays(6);
  const setLeave = async (days: number | null) => {
    const absentUntil = days === null ? null : dayOf(inDays(days));
    await patch(`/learners/${learner.id}`, { firstName: 'Radia', lastName: 'Perlman', absentUntil });
    await evaluate();
  };
  await setLeave(end);
  expect(await sendAt(at)).toEqual([]);
  const messages = await testService.query('select status, reason from messages');
  expect(messages).toEqual([{ status: 'cancelled', reason: 'the learner is on leave' }]);
  const mails = await liveDays(16, nextWorkingDays(1));
  // Due three days after the return, so the reminders are two and four days after it.
  const days = [end + 1, end + 1 + 3 - 1, end + 1 + 3 + 1].map((after) => workingDay(inDays(after)));
  expect(mails.map((mail) => mail.day)).toEqual(
    [...new Set(days)].filter((day) => day < dayOf(inDays(nextWorkingDays(1) + 16))),
  );
});

test('a message that waited for a leave is sent on the next working morning if the leave is removed', async () => {
  const learner = await createLearner({ absentUntil: dayOf(inDays(30)) });
  await runCampaign({ audience: forOnly(learner) });
  expect(await liveDays(4)).toEqual([]);
  await patch(`/learners/${learner.id}`, { firstName: 'Radia', lastName: 'Perlman', absentUntil: null });
  await evaluate();
  expect(await workAt(inDays(nextWorkingDays(4)))).toMatchObject([{ to: learner.email }]);
});

test('a learner whom a daily limit leaves out gets the message on the next working day', async () => {
  const learner = await createLearner();
  await runCampaign({ audience: forOnly(learner) });
  await testService.query(
    `insert into mail_log (company_id, address_hash, is_invite, queued_at)
     select $1, address_hash($2), false, now() - n * interval '1 second' from generate_series(1, 20) as n`,
    [companies.tenant, learner.email],
  );
  const [first, second] = [nextWorkingDays(), nextWorkingDays(1)];
  expect(await workAt(inDays(first))).toEqual([]);
  await testService.query('delete from mail_log');
  expect(await workAt(inDays(first, '11:00'))).toEqual([]);
  expect((await workAt(inDays(second))).map(({ day }) => day)).toEqual([dayOf(inDays(second))]);
});
