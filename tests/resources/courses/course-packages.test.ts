import { call, expectError, fingerprintOf, get } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId, packageId } from '../../support/world.ts';
import { packageOf, packagePath, uploadPackage } from './package-samples.ts';

describe('GET /courses/{courseId}/package', () => {
  test('an MSP reads the package of its child, and others get 404', async () => {
    const path = packagePath(ownCourseId('childA'));
    expect((await get(`${path}?companyId=${companies.childA}`, 'msp')).body.data.id).toBe(packageId('childA'));
    expectError(await get(path, 'msp'), 404, 'not_found');
    expectError(await get(path, 'tenant'), 404, 'not_found');
  });

  test('a course of the catalogue returns 404', async () => {
    expectError(await get(packagePath(managedCourses.phishing)), 404, 'not_found');
  });
});

describe('DELETE /courses/{courseId}/package', () => {
  const remove = (courseId?: string) => call('tenant', 'DELETE', packagePath(courseId));

  test('deletes the package, after which a second call returns 404 and an upload succeeds', async () => {
    const answer = await remove();
    expect(answer.body.data).toEqual({ id: packageId('tenant') });
    expectError(await get(packagePath()), 404, 'not_found');
    expectError(await remove(), 404, 'not_found');
    expect((await uploadPackage(packageOf())).status).toBe(200);
  });

  test('a course of the catalogue returns 403', async () => {
    const before = await fingerprintOf('tenant');
    expectError(await remove(managedCourses.phishing), 403, 'forbidden');
    expect(await fingerprintOf('tenant')).toBe(before);
  });
});

test('a package is purged with its content a day after it ended, unless the content is in use', async () => {
  const bytes = packageOf({ path: 'only.txt', content: 'here' });
  await uploadPackage(bytes);
  await uploadPackage(packageOf());
  await testService.query(
    `update course_packages set ended_at = now() - interval '25 hours' where ended_at is not null`,
  );
  await uploadPackage(packageOf({ path: 'next.txt', content: 'here' }));
  await testService.query('select purge_packages()');
  const rows = await testService.query(
    `select p.ended_at is null as current, count(f.path)::integer as files, count(distinct c.sha256)::integer as contents
       from course_packages p join package_files f on f.company_id = p.company_id and f.package_id = p.id
       join package_contents c on c.company_id = p.company_id and c.sha256 = p.sha256
      where p.company_id = $1 group by p.company_id, p.id order by p.uploaded_at`,
    [companies.tenant],
  );
  expect(rows).toEqual([
    { current: false, files: 2, contents: 1 },
    { current: true, files: 3, contents: 1 },
  ]);
  const contents = await testService.query('select from package_contents where company_id = $1', [companies.tenant]);
  expect(contents).toHaveLength(2);
});
