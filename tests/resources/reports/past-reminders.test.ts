import { get } from '../../support/client.ts';
import { passDay } from '../../support/passing-time.ts';
import { managedCourses } from '../../support/world.ts';
import { corrected } from '../corrections/correction-state.ts';
import { record } from '../courses/result-state.ts';
import { createLearner, dayBefore, daysAgo, uniqueId, waitPastMidnight } from './past-state.ts';
import { addressOf } from './report-pages.ts';

beforeEach(waitPastMidnight);

async function findReminder(learnerId: string, filters: object): Promise<unknown> {
  const { data } = (await get(addressOf('/reports/course-results', { ...filters, includeInactive: true }))).body;
  return data.find((row: any) => row.learnerId === learnerId).remindedAt;
}

test('a reminder stays in reports of past days when the result is corrected repeatedly', async () => {
  const id = await createLearner();
  const first = { eventId: uniqueId(), learner: { id }, finishedAt: daysAgo(4), score: 60 };
  const second = { eventId: uniqueId(), learner: { id }, finishedAt: daysAgo(3), score: 70 };
  await record(first, second);
  // The first attempt becomes the newest again.
  await corrected({ eventId: second.eventId, action: 'void' });
  await passDay();
  await testService.query('update enrollments set reminder_sent_at = now() where learner_id = $1 and course_id = $2', [
    id,
    managedCourses.phishing,
  ]);
  let { eventId } = first;
  for (const score of [61, 62, 63]) {
    expect(await findReminder(id, {})).not.toBeNull();
    await passDay();
    const replacement = { eventId: uniqueId(), finishedAt: first.finishedAt, score };
    await corrected({ eventId, action: 'replace', replacement });
    ({ eventId } = replacement);
  }
  for (const day of [0, 1, 2, 3].map(dayBefore)) {
    expect({ day, remindedAt: await findReminder(id, { asOf: day, knownAt: day }) }).toEqual({
      day,
      remindedAt: expect.any(String),
    });
  }
});
