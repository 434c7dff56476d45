import { hash } from 'node:crypto';
import type { Handler } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError, requireFound } from '../../../contract/errors.ts';
import { findRevision } from '../content/content-repository.ts';
import { getCourse } from '../course-repository.ts';
import { requireOwn } from '../course-rules.ts';
import { lockCourse } from '../own-course-repository.ts';
import { endPackage, getPackage, replacePackage } from './package-repository.ts';

export const getCoursePackage: Handler<'getCoursePackage'> = ({ courseId }, tenant) => getPackage(tenant, courseId);

export const uploadCoursePackage: Handler<'uploadCoursePackage'> = ({ courseId, file }, tenant) => {
  const sha256 = hash('sha256', file.bytes, 'buffer');
  return tenant.transaction(async (tx) => {
    await lockOwnCourse(tx, courseId);
    if ((await findRevision(tx, courseId)) !== undefined)
      throw new ApiError('invalid_request', 'The course has published content, which a package cannot replace.');
    await replacePackage(tx, courseId, { ...file, sha256 });
    return getPackage(tx, courseId);
  });
};

export const deleteCoursePackage: Handler<'deleteCoursePackage'> = ({ courseId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await lockOwnCourse(tx, courseId);
    return { id: requireFound(await endPackage(tx, courseId), 'package') };
  });
};

/** @throws not_found; forbidden for a course of the managed catalogue */
async function lockOwnCourse(tenant: TenantWriter, courseId: string): Promise<void> {
  await lockCourse(tenant, courseId);
  requireOwn(await getCourse(tenant, courseId));
}
