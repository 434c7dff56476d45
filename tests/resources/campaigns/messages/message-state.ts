import { TenantAccess } from '../../../../src/auth/tenant-access.ts';
import { preparing } from '../../../../src/mail/sending/prepare-message.ts';
import { prepareMessage } from '../../../support/queued-messages.ts';
import { sendDueMessages } from '../../../../src/resources/campaigns/messages/send-due-messages.ts';
import { notifyManagers } from '../../../../src/resources/campaigns/messages/notify-managers.ts';
import { post } from '../../../support/client.ts';
import { openServicePool } from '../../../support/service-pool.ts';
import { companies } from '../../../support/world.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());

const settings = {
  ...{ from: { name: 'Security Awareness', address: 'awareness@sender.test' }, contact: 'help@sender.test' },
  ...{ trainingUrl: undefined, publicUrl: 'https://awareness.test' },
};
const DAY_MS = 86_400_000;

export interface Mail {
  day: string;
  to: string;
  subject: string;
  text: string;
}

/** Returns the time on the day that is a number of days from now. */
export const inDays = (days: number, time = '10:00'): Date =>
  new Date(`${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)}T${time}:00Z`);

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const isWeekend = (day: Date) => day.getUTCDay() % 6 === 0;

/** Returns the given day, or the first working day after it. */
export function workingDay(day: Date): string {
  for (let moved = day; ; moved = new Date(moved.getTime() + DAY_MS)) if (!isWeekend(moved)) return dayOf(moved);
}

/** Returns the days from now to the next working day after today, skipping a number of working days. */
export function nextWorkingDays(skipped = 0): number {
  for (let days = 1, left = skipped; ; days += 1) if (!isWeekend(inDays(days)) && left-- === 0) return days;
}

const tenant = () => new TenantAccess(pool).ofJob(companies.tenant);

/** Queues the messages that are due at a time, as the worker does. */
export const queueAt = (at: Date): Promise<void> => sendDueMessages(tenant(), new AbortController().signal, at);

/** Queues the messages to managers that are due at a time. */
export const notifyManagersAt = (at: Date): Promise<void> => notifyManagers(tenant(), new AbortController().signal, at);

/** Sends the queued messages at a time, and returns them in the order of their recipients. */
export async function sendAt(at: Date): Promise<Mail[]> {
  const text = `select id from messages where kind like 'assignments%' and status = 'queued' and company_id = $1`;
  const mails: Mail[] = [];
  for (const { id } of await testService.query(text, [companies.tenant])) {
    const prepared = await prepareMessage(
      tenant(),
      preparing(settings, () => at),
      id as string,
    );
    if (!prepared) continue;
    const { to, subject, text: body } = prepared.mail;
    const shown = (body as string).replaceAll('\u200b', '');
    mails.push({ day: dayOf(at), to: (to as { address: string }).address, subject: subject!, text: shown });
    await prepared.settle({ status: 'sent' });
  }
  return mails.toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

/** Acts like the worker at a time, and returns the sent messages. */
export async function workAt(at: Date): Promise<Mail[]> {
  await queueAt(at);
  await notifyManagersAt(at);
  return sendAt(at);
}

/** Returns the day on which a learner in UTC gets the message about an item assigned now. */
export function firstDay(): string {
  return workingDay(inDays(new Date().getUTCHours() >= 17 ? 1 : 0));
}

/** Lets days pass. The worker runs now, then at night, at ten and in the evening of each day. Returns the messages. */
export async function liveDays(days: number, from = 0): Promise<Mail[]> {
  const now = new Date();
  const mails: Mail[] = [];
  for (let day = from; day < from + days; day += 1) {
    const times = ['03:00', '10:00', '20:00'].map((time) => inDays(day, time));
    for (const at of day === 0 ? [now, ...times.filter((time) => time > now)] : times)
      mails.push(...(await workAt(at)));
  }
  return mails;
}

let made = 0;

/** Creates a learner. Returns the id and the address. */
export async function createLearner(fields: object = {}): Promise<{ id: string; email: string }> {
  const learner = { email: `asked${++made}@tenant.test`, firstName: 'Radia', lastName: 'Perlman', ...fields };
  const { status, body } = await post('/learners', learner);
  expect(status).toBe(200);
  return { id: body.data.id as string, email: learner.email };
}

/** Ends all campaigns, and removes their messages and learners; for afterEach. */
export async function forgetCampaigns(): Promise<void> {
  await testService.query(`
    delete from graphile_worker._private_jobs;
    delete from messages; delete from mail_log; delete from campaign_changes; delete from campaign_digests;
    delete from campaigns where external_id is distinct from 'basics';
    delete from campaign_mail_days; delete from corrections; delete from course_result_events;
    delete from learners where email like 'asked%@tenant.test'`);
}

/** Lets a learner finish a course now. The event has the id of the course. */
export async function finish(learner: { id: string }, courseId: string): Promise<void> {
  const result = { learner: { id: learner.id }, course: { id: courseId }, score: 90, eventId: courseId };
  const { body } = await post('/course-results', { results: [{ ...result, finishedAt: new Date().toISOString() }] });
  expect(body).toMatchObject({ data: { failures: [] } });
}
