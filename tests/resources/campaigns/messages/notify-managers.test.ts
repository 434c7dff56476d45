import { patch } from '../../../support/client.ts';
import { evaluate, runCampaign } from '../campaign-state.ts';
import { createLearner, dayOf, finish, forgetCampaigns, inDays, liveDays } from './message-state.ts';
import { sendAt, notifyManagersAt, workAt } from './message-state.ts';
import { phishing } from '../campaign-state.ts';

afterEach(forgetCampaigns);

/** Days from now to the first Monday that is at least a number of days away. */
function mondayFrom(days: number): number {
  for (let moved = days; ; moved += 1) if (inDays(moved).getUTCDay() === 1) return moved;
}

/** Creates a manager with learners who get a campaign that is due after two days, and whose manager gets a message after three. */
async function createTeam(size: number, fields: object = {}) {
  const manager = await createLearner({ firstName: 'Ada', lastName: 'Lovelace' });
  const learners = [];
  for (let number = 1; number <= size; number += 1) {
    learners.push(await createLearner({ lastName: `No ${number}`, managerId: manager.id }));
  }
  const audience = { include: [{ learnerIds: learners.map(({ id }) => id) }] };
  const messages = { reminders: { before: [], after: [] }, escalation: { afterDays: 3 } };
  const campaignId = await runCampaign({ audience, due: { days: 2 }, ...messages, ...fields });
  return { manager, learners, campaignId };
}

test('a manager gets one message each Monday morning, about all learners overdue for long enough', async () => {
  const { manager, learners } = await createTeam(2);
  const mails = (await liveDays(24)).filter(({ to }) => to === manager.email);
  const mondays = [mondayFrom(6), mondayFrom(6) + 7, mondayFrom(6) + 14].filter((days) => days < 24);
  expect(mails.map(({ day }) => day)).toEqual(mondays.map((days) => dayOf(inDays(days))));
  expect(mails[0]!.subject).toBe('Overdue in your team: 2 courses and policies');
  expect(mails[0]!.text).toMatch(/- Radia No 1: “.*”, was due by .*\n- Radia No 2: “.*”, was due by /);
  expect(mails[0]!.text).not.toContain('http');
  await finish(learners[0]!, phishing.id);
  const [later] = await liveDays(7, 24);
  expect(later!.text).not.toContain('No 1');
});

test('a manager gets the message on the next working morning if Monday was missed or the message was too late, and only once', async () => {
  const { manager } = await createTeam(1);
  const monday = mondayFrom(6);
  await notifyManagersAt(inDays(monday + 1, '10:00'));
  expect(await sendAt(inDays(monday + 1, '18:00'))).toEqual([]);
  expect(await workAt(inDays(monday + 2, '08:00'))).toEqual([]);
  const managers = async (days: number) => (await workAt(inDays(days))).filter(({ to }) => to === manager.email);
  expect(await managers(monday + 2)).toHaveLength(1);
  for (const days of [2, 3, 4]) expect(await managers(monday + days)).toEqual([]);
  expect(await managers(monday + 7)).toHaveLength(1);
});

test('a manager on leave gets the message on the Monday after it, and learners on leave are not in it', async () => {
  const { manager, learners } = await createTeam(2);
  const monday = mondayFrom(6);
  const leave = async (id: string, days: number) => {
    const absentUntil = dayOf(inDays(days));
    await patch(`/learners/${id}`, { firstName: 'Radia', lastName: `No ${days}`, absentUntil });
  };
  await notifyManagersAt(inDays(monday));
  await leave(manager.id, monday + 8);
  await leave(learners[1]!.id, monday + 30);
  await evaluate();
  expect(await sendAt(inDays(monday))).toEqual([]);
  const mails = (await liveDays(15, monday + 1)).filter(({ to }) => to === manager.email);
  expect(mails.map(({ day }) => day)).toEqual([dayOf(inDays(monday + 14))]);
  expect(mails[0]!.text).toContain('No 1');
  expect(mails[0]!.text).not.toContain(`No ${monday + 30}`);
});

test('an inactive manager gets nothing, nor does one whose learners finish before the message is sent', async () => {
  const { manager, learners, campaignId } = await createTeam(1);
  const at = inDays(mondayFrom(6));
  await notifyManagersAt(at);
  await finish(learners[0]!, phishing.id);
  expect((await sendAt(at)).filter(({ to }) => to === manager.email)).toEqual([]);
  const other = await createTeam(1);
  await testService.query('update learners set inactive = true where id = $1', [other.manager.id]);
  await evaluate();
  const mails = await liveDays(10, mondayFrom(6));
  expect(mails.filter(({ to }) => to === other.manager.email)).toEqual([]);
  await patch(`/campaigns/${campaignId}`, { escalation: null });
  await patch(`/campaigns/${other.campaignId}`, { status: 'ended' });
  await notifyManagersAt(inDays(30));
  expect(await testService.query('select from campaign_digests where time_zone = $1', ['UTC'])).toEqual([]);
});
