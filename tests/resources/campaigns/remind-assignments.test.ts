import { get, patch, post } from '../../support/client.ts';
import { unknownId } from '../../support/world.ts';
import { evaluate, listAssignments, only, phishing } from './campaign-state.ts';
import {
  createLearner,
  firstDay,
  forgetCampaigns,
  inDays,
  liveDays,
  workAt,
  workingDay,
} from './messages/message-state.ts';

afterEach(forgetCampaigns);

async function run(learnerIds: string[]): Promise<{ campaignId: string; ids: string[] }> {
  const { body } = await post('/campaigns', {
    ...{ name: 'Basics', items: [phishing], audience: only(...learnerIds), due: { days: 60 }, status: 'active' },
    reminders: { before: [], after: [] },
  });
  await evaluate();
  const campaignId = body.data.id as string;
  return { campaignId, ids: (await listAssignments(`campaignId=${campaignId}`)).map(({ id }) => id) };
}
const remind = async (assignmentIds: string[]) => (await post('/assignments/remind', { assignmentIds })).body.data;
const days = async (count: number, from = 0) => (await liveDays(count, from)).map(({ day }) => day);

test('a reminder is sent on the working day after the last message, once', async () => {
  const learner = await createLearner();
  const { ids } = await run([learner.id]);
  expect(await days(5)).toEqual([firstDay()]);
  // In the evening and at the weekend, the first message belongs to a later day, although it is sent before the
  // reminder.
  await testService.query(`update campaign_mail_days set mailed_at = now() where mailed_at > now()`);
  expect(await remind([...ids, unknownId])).toMatchObject({ changedIds: ids, skipped: [{ code: 'not_found' }] });
  await remind(ids);
  await evaluate();
  const sent = await days(8, 1);
  expect(sent).toHaveLength(1);
  expect(new Date(sent[0]!) > new Date(firstDay())).toBe(true);
});

test('learners on leave are reminded after it, and nobody is reminded while the campaign is paused', async () => {
  const away = await createLearner({ absentUntil: workingDay(inDays(9)) });
  const { ids, campaignId } = await run([away.id]);
  await remind(ids);
  await evaluate();
  expect(await days(9)).toEqual([]);
  await patch(`/campaigns/${campaignId}`, { status: 'paused' });
  expect((await remind(ids)).skipped).toMatchObject([{ code: 'campaign_not_running' }]);
  await post('/assignments/waive', { assignmentIds: ids, reason: 'Left' });
  expect((await remind(ids)).skipped).toMatchObject([{ code: 'not_open' }]);
  expect(await workAt(inDays(30))).toEqual([]);
  expect((await get(`/assignments/${ids[0]}`)).body.data.explanation.messages).toEqual([]);
});
