import { get } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId } from '../../support/world.ts';

const report = async (query = '') => (await get(`/reports/courses?${query}`)).body.data;
const idsOf = async (query: string) => (await report(query)).map((row: any) => row.courseId);

test('counts the active learners of each course as the learning report does', async () => {
  for (const row of await report('includeRetired=true')) {
    const { summary } = (await get(`/reports/learning?courseId=${row.courseId}`)).body.data;
    const { enrollmentCount, startedCount, finishedCount } = summary;
    if (row.type === 'training') expect(row).toMatchObject({ enrollmentCount, startedCount, finishedCount });
  }
});

test('finds courses by id, source and a part of the name, and leaves out retired ones', async () => {
  expect(await idsOf('source=custom')).toEqual([ownCourseId('tenant')]);
  expect(await idsOf('nameContains=STRONG')).toEqual([managedCourses.passwords]);
  expect(await idsOf(`courseId=${managedCourses.phishing}`)).toEqual([managedCourses.phishing]);
  expect(await idsOf(`courseId=${ownCourseId('other')}`)).toEqual([]);
  await testService.query('update courses set retired_at = now() where id = $1', [ownCourseId('tenant')]);
  expect(await idsOf('source=custom')).toEqual([]);
  expect(await idsOf('source=custom&includeRetired=true')).toEqual([ownCourseId('tenant')]);
  await testService.query('update courses set retired_at = null where id = $1', [ownCourseId('tenant')]);
});

test('an MSP reads the courses of a child', async () => {
  const { status, body } = await get(`/reports/courses?companyId=${companies.childA}&source=custom`, 'msp');
  expect([status, body.data.map((row: any) => row.courseId)]).toEqual([200, [ownCourseId('childA')]]);
});
