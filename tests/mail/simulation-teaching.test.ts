import { Temporal } from 'temporal-polyfill';
import { get, patch } from '../support/client.ts';
import { forgetSimulations, makeDueSimulation, recipientsOf, startSimulating } from '../support/own-simulations.ts';
import { managedCourses } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { MailServer } from './smtp-support.ts';

const { query } = testService;
const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  await forgetSimulations();
});
afterAll(() => server.stop());

/** Stores a completed simulation with a course, whose messages were sent an hour ago. */
async function sentSimulation(recipients: number) {
  const made = await makeDueSimulation({ recipients, status: 'completed' });
  await query(
    `update simulations set training_course_id = $2, training_course_owner_id = managed_catalogue() where id = $1`,
    [made.simulationId, managedCourses.phishing],
  );
  await query(`update simulation_recipients set sent_at = now() - interval '1 hour' where simulation_id = $1`, [
    made.simulationId,
  ]);
  return made;
}

/** Sets a milestone of a recipient to a number of minutes ago. */
const reach = (learnerId: string, column: 'opened_at' | 'visited_at' | 'compromised_at', minutes: number) =>
  query(`update simulation_recipients set ${column} = now() - $2 * interval '1 minute' where learner_id = $1`, [
    learnerId,
    minutes,
  ]);

const coursesOf = async (learnerId: string) => {
  const { body } = await get(`/learners/${learnerId}/course-results`);
  return body.data.map(({ courseId, attempt }: { courseId: string; attempt: number }) => [courseId, attempt]);
};
const taught = async (simulationId: string) =>
  (await recipientsOf(simulationId)).filter(({ training_assigned_at: at }) => at !== null).length;

test('only recipients who clicked or were compromised are enrolled, with a message, once that is settled and any leave is over', async () => {
  const { simulationId, learnerIds } = await sentSimulation(5);
  const [clicked, typed, justNow, opened, away] = learnerIds as [string, string, string, string, string];
  await query('update learners set absent_until = current_date + 2 where id = $1', [away]);
  await reach(away, 'visited_at', 20);
  await reach(clicked, 'visited_at', 11);
  await reach(typed, 'compromised_at', 12);
  await reach(justNow, 'visited_at', 9);
  await reach(opened, 'opened_at', 30);
  await startSimulating(server);
  await until(async () => (await taught(simulationId)) === 2);
  expect(await Promise.all(learnerIds.map(coursesOf))).toEqual([
    ...[[[managedCourses.phishing, 1]], [[managedCourses.phishing, 1]]],
    ...[[], [], []],
  ]);
  const messages = await query(`select learner_id from messages where kind = 'course_enrollment' order by learner_id`);
  expect(messages.map(({ learner_id: id }) => id)).toEqual([clicked, typed].toSorted());
  await query('update learners set absent_until = current_date - 2 where id = $1', [away]);
  await until(async () => (await taught(simulationId)) === 3);
});

test('recipients who cannot be enrolled are skipped, and two processes enrol each of the others once', async () => {
  const { simulationId, learnerIds } = await sentSimulation(4);
  for (const id of learnerIds) await reach(id, 'visited_at', 20);
  await query('update learners set inactive = true where id = $1', [learnerIds[0]]);
  await Promise.all([startSimulating(server), startSimulating(server)]);
  await until(async () => (await taught(simulationId)) === 4);
  expect(await Promise.all(learnerIds.map(coursesOf))).toEqual([
    [],
    ...learnerIds.slice(1).map(() => [[managedCourses.phishing, 1]]),
  ]);
});

test("the enrolment is dated in the company's time zone, not in UTC", async () => {
  const todayIn = (zone: string) => Temporal.Now.plainDateISO(zone).toString();
  const timeZone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((zone) => todayIn(zone) !== todayIn('UTC'))!;
  expect((await patch('/company/settings', { timeZone })).status).toBe(200);
  const before = todayIn(timeZone);
  const { simulationId, learnerIds } = await sentSimulation(1);
  await reach(learnerIds[0]!, 'visited_at', 20);
  await startSimulating(server);
  await until(async () => (await taught(simulationId)) === 1);
  const { body } = await get(`/learners/${learnerIds[0]}/course-results`);
  await patch('/company/settings', { timeZone: null });
  expect([before, todayIn(timeZone)]).toContain(body.data[0].enrollDate);
});
