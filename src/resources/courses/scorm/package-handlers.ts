import type { Handler, PreflightHandler } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { ApiError, requireFound } from '../../../contract/errors.ts';
import { findRevision } from '../content/content-repository.ts';
import { getCourse } from '../course-repository.ts';
import { requireOwn } from '../course-rules.ts';
import { lockCourse } from '../own-course-repository.ts';
import { type PackageHost, toCoursePackage } from './package-notices.ts';
import { hashPieces } from './inspection/pieces-of-bytes.ts';
import { endPackage, getPackage, replacePackage } from './package-repository.ts';

export function createPackageHandlers(host: PackageHost) {
  const getCoursePackage: Handler<'getCoursePackage'> = async ({ courseId }, tenant) =>
    toCoursePackage(await getPackage(tenant, courseId), host);
  const uploadCoursePackage: PreflightHandler<'uploadCoursePackage'> = {
    preflight: async ({ courseId, file }) => {
      const sha256 = await hashPieces(file.bytes);
      return (_input, tenant) =>
        tenant.transaction(async (tx) => {
          await lockOwnCourse(tx, courseId);
          if ((await findRevision(tx, courseId)) !== undefined)
            throw new ApiError('invalid_request', 'The course has published content, which a package cannot replace.');
          await replacePackage(tx, courseId, { ...file, sha256 }, host.packageLimits);
          return toCoursePackage(await getPackage(tx, courseId), host);
        });
    },
  };
  return { getCoursePackage, uploadCoursePackage };
}

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
