import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { CourseNames } from '../course-names.ts';
import { IS_SUSPENDED, isInSession, type ScormRuntime, type ScormRuntimeWindow } from './scorm-runtime-repository.ts';
import type { PackageState } from './package-state.ts';

/** A window in which a package is open, and its learner, as the page around the package needs them. */
export interface ContentWindowRow extends CourseNames {
  learnerId: string;
  courseId: string;
  firstName: string;
  lastName: string;
  locale: string | null;
  /** Modules that the company has enabled. */
  modules: string[];
  standard: ScormRuntime['standard'];
  launchPath: string;
  /** Items of the manifest, with the runtime data of each item; empty if no items are stored. */
  items: ScormRuntimeWindow['items'];
  state: PackageState;
  reportNumber: number;
  /** Whether the window stores reports: the attempt is not finished, or the package has suspended it. */
  isOpen: boolean;
}

const byToken = pointQuery<{ tokenHash: Buffer }, ContentWindowRow>(
  'scorm_content_window',
  (p) => sql`
    select g.learner_id as "learnerId", g.course_id as "courseId", l.first_name as "firstName",
           l.last_name as "lastName", l.locale, k.standard, k.launch_path as "launchPath",
           k.items, g.state,
           g.report_number as "reportNumber", e.finish_date is null or ${IS_SUSPENDED} as "isOpen",
           c.display_name as "displayName", c.localized_names as "localizedNames",
           enabled_modules(o.smlearn, o.smphish, o.smpolicy, o.smbreachproenabled) as modules
      from package_progress g
      join learners l on l.company_id = ${p.companyId} and l.id = g.learner_id and not l.inactive
      join enrollments e on e.company_id = ${p.companyId} and e.learner_id = g.learner_id
       and e.course_id = g.course_id and e.attempt_id = g.attempt_id
      join courses c on c.owner_id = ${p.companyId} and c.id = g.course_id
      join course_packages k on k.company_id = ${p.companyId} and k.id = g.package_id
      join companies o on o.id = ${p.companyId}
     where g.company_id = ${p.companyId} and g.token_hash = ${p.tokenHash}
       and g.opened_at > now() - interval '4 hours' and ${isInSession(p)}`,
);

/** Returns undefined for a window that must not read files, like `findFile`. */
export function findContentWindow(tenant: TenantReader, tokenHash: Buffer): Promise<ContentWindowRow | undefined> {
  return tenant.queryOne(byToken, { tokenHash });
}
