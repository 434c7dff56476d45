import { type Handler, SentAttachment } from '../../../contract/contract.ts';
import { invalidField, notFound } from '../../../contract/errors.ts';
import { getBaseLanguage } from '../authored/course.ts';
import type { CourseLibrary } from '../authored/course-library.ts';
import { findOwnContent } from '../content/own-contents.ts';
import { getCourse } from '../course-repository.ts';
import { Rows } from '../../../db/rows.ts';
import { findReportingChannels } from '../results/reporting-channels.ts';
import { chooseLanguages, toFileName } from './export-rules.ts';

/** Creates the handler that exports authored courses. */
export function createExportHandlers(library: CourseLibrary) {
  const exportCourse: Handler<'exportCourse'> = async ({ courseId, format = 'scorm_2004', languages }, tenant) => {
    const { type, passMark, name } = await getCourse(tenant, courseId);
    if (type === 'gap_analysis') throw invalidField('path/courseId', 'must be a training, not a gap analysis');
    const course = (await library.find({ id: courseId, type })) ?? (await findOwnContent(tenant, courseId));
    if (!course) throw notFound('course content');
    const chosen = chooseLanguages(course.languages, languages, getBaseLanguage(course.languages));
    const reporting = await findReportingChannels(tenant);
    // Loaded lazily, because most processes never export a course.
    const { buildPackage } = await import('./build-package.ts');
    const zip = await buildPackage({ course, courseId, passMark, languages: chosen, reporting }, format);
    const parts = Rows.of(() => [{ bytes: zip }].values());
    return new SentAttachment(parts, zip.length, toFileName(name, format), 'application/zip');
  };
  return { exportCourse };
}
