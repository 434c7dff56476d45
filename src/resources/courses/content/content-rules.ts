import type { Schemas } from '../../../contract/contract.ts';
import { ApiError, invalidField } from '../../../contract/errors.ts';
import type { CourseFile, ReadOwnCourse } from '../authored/own-course-files.ts';
import type { AuthoredCourse } from '../authored/course.ts';

/** Converts line ends to the form that the content folder uses. @throws invalid_request for a repeated path */
export function toFiles(files: Schemas['SaveCourseContentInput']['files']): CourseFile[] {
  files.forEach(({ path }, index) => {
    if (files.findIndex((file) => file.path === path) < index)
      throw invalidField(`body/files/${index}/path`, `repeats ${path}`);
  });
  return files.map(({ path, text }) => ({ path, text: text.replace(/\r\n?/g, '\n') }));
}

/** @throws invalid_request naming the files with findings */
export function requireNoFindings({ course, findings }: ReadOwnCourse): AuthoredCourse {
  if (course && findings.length === 0) return course;
  throw new ApiError('invalid_request', 'The draft has findings; correct them before you publish it.', {
    details: findings.map(({ path, place, line, message }) => {
      const at = line === null ? place : `line ${line}`;
      return { field: at ? `${path}, ${at}` : path, message };
    }),
  });
}
