/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0", "CONTENT_FOLDER": "tests/fixtures/practice"} */
import { runInNewContext } from 'node:vm';
import { call, expectError, get, patch, post } from '../../support/client.ts';
import { exportCourse } from '../../support/exported-package.ts';
import { managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { contentPath, saveContent } from './content-samples.ts';
import { uploadPackage } from './package-samples.ts';

const COURSE = managedCourses.passwords;
const pathOf = (courseId: string, query = '') => `/courses/${courseId}/export${query}`;

/** Returns the data that the scripts of a package read. */
function readData(files: Map<string, Buffer>): any {
  const context: { course?: any } = {};
  runInNewContext(files.get('course.js')!.toString('utf8'), context);
  return context.course;
}

describe('GET /courses/{courseId}/export', () => {
  test.each([
    ['scorm_1_2', 'imsmanifest.xml', '<schemaversion>1.2</schemaversion>', 'scorm.js', 'cmi5.js'],
    ['scorm_2004', 'imsmanifest.xml', '<schemaversion>2004 3rd Edition</schemaversion>', 'scorm.js', 'cmi5.js'],
    ['cmi5', 'cmi5.xml', 'masteryScore="0.8"', 'cmi5.js', 'scorm.js'],
  ])('a course is exported as %s with its manifest', async (format, manifest, words, script, other) => {
    const { files, fileName } = await exportCourse(COURSE, `?format=${format}`);
    expect(fileName).toMatch(new RegExp(`^[A-Za-z0-9-]+-${format.replaceAll('_', '-')}\\.zip$`));
    expect([...files.keys()][0]).toBe(manifest);
    expect(files.get(manifest)!.toString('utf8')).toContain(words);
    expect(files.has(script)).toBe(true);
    expect(files.has(other)).toBe(false);
    expect(files.get('index.html')!.toString('utf8')).toContain(`data-format="${format}"`);
    const all = [...files.values()].map((file) => file.toString('utf8')).join('');
    expect(all).not.toContain('/learn/');
    expect(all).not.toContain(new URL(testService.url).host);
  });

  test('a package has all steps and texts in all languages, and SCORM 2004 is the default', async () => {
    const { bytes, files } = await exportCourse(COURSE);
    expect(bytes).toEqual((await exportCourse(COURSE, '?format=scorm_2004')).bytes);
    const data = readData(files);
    expect(Object.keys(data.texts)).toEqual(['en', 'de']);
    expect(data.steps).toHaveLength(9);
    expect(data.texts.de.questions['question:call'].scenes.ring.choices).toHaveProperty('a');
  });

  test('a package has only the requested languages, and other languages are rejected', async () => {
    const { files } = await exportCourse(COURSE, '?languages=de&format=cmi5');
    expect(Object.keys(readData(files).texts)).toEqual(['de']);
    expect(files.get('cmi5.xml')!.toString('utf8')).not.toContain('lang="en"');
    expect(files.get('index.html')!.toString('utf8')).toContain('<html lang="de"');
    expectError(await get(pathOf(COURSE, '?languages=fr')), 400, 'invalid_request');
    expectError(await get(pathOf(COURSE, '?languages=de,de')), 400, 'invalid_request');
    expectError(await get(pathOf(COURSE, '?format=aicc')), 400, 'invalid_request');
  });

  test('a package has the reporting channels of the company, as text', async () => {
    await patch('/company/settings', { reporting: { instructions: 'Press <b>it</b>.' } });
    const { files } = await exportCourse(COURSE);
    expect(readData(files).texts.en.lessons['lesson:01-start'].html).toContain('Press &lt;b&gt;it&lt;/b&gt;.');
    await patch('/company/settings', { reporting: null });
  });

  test.each([['scorm_1_2'], ['scorm_2004']])(
    'a package of %s can be uploaded as the package of another course, without notices',
    async (format) => {
      const { bytes } = await exportCourse(COURSE, `?format=${format}`);
      const { status, body } = await uploadPackage(bytes);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ standard: format, title: 'Practice', launchPath: 'index.html', notices: [] });
    },
  );

  test('an own course is exported once its content is published', async () => {
    const ownId = ownCourseId('tenant');
    expectError(await get(pathOf(ownId)), 404, 'not_found');
    await saveContent();
    expectError(await get(pathOf(ownId)), 404, 'not_found');
    await post(contentPath('/publish'));
    expect(readData((await exportCourse(ownId)).files)).toMatchObject({
      passMark: 60,
      texts: { de: { name: 'Zeichnungen' } },
    });
  });

  test('text that contains a closing script tag stays data', async () => {
    const ownId = ownCourseId('tenant');
    await saveContent({ 'de/01-first.md': '# Erste `</script>`\n\n`]]></title>`\n' });
    await post(contentPath('/publish'));
    const { files } = await exportCourse(ownId);
    expect(readData(files).texts.de.lessons['lesson:01-first'].title).toContain('</script>');
  });

  test('a gap analysis, an unknown course and a course of another company are rejected', async () => {
    expectError(await get(pathOf(managedCourses.gapAnalysis)), 400, 'invalid_request');
    expectError(await get(pathOf(unknownId)), 404, 'not_found');
    expectError(await call('other', 'GET', pathOf(ownCourseId('tenant'))), 404, 'not_found');
  });
});
