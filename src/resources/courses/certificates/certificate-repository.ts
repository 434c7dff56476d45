import { courseNameFor } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import { createNumber } from './certificate-rules.ts';

interface OfAttempt {
  learnerId: string;
  attemptId: string;
}

/** An attempt that a learner has passed, with its certificate if one was issued. */
export interface PassedAttempt {
  courseName: string;
  /** Calendar date. */
  finishDate: string;
  /** Number of months for which the certificate is valid; null if it does not expire. */
  validForMonths: number | null;
  number: string | null;
  issuedAt: string | null;
}

/** Builds the join of a training `c` and a passed attempt `a`. `enrollments` contains only a pair's newest attempt. */
const passed = (p: Parameters<OfAttempt>): Sql => sql`courses c join
  (select course_owner_id, course_id, attempt_id, learner_id, finish_date from enrollments
    where company_id = ${p.companyId} and learner_id = ${p.learnerId} and attempt_id = ${p.attemptId} and passed
   union all
   select course_owner_id, course_id, attempt_id, learner_id, finish_date from enrollment_attempts
    where company_id = ${p.companyId} and learner_id = ${p.learnerId} and attempt_id = ${p.attemptId} and passed) as a
  on c.owner_id = a.course_owner_id and c.id = a.course_id and c.type = 'training'`;

const ofAttempt = query<OfAttempt & { language: string }, PassedAttempt>(
  'certificate_of_attempt',
  (p) => sql`
    select coalesce(f.course_name, ${courseNameFor(sql`c`, sql`${p.language}::text`)}) as "courseName",
           a.finish_date as "finishDate",
           case when f.number is null then c.valid_for_months else f.valid_for_months end as "validForMonths", f.number, f.issued_at as "issuedAt"
      from ${passed(p)}
      left join certificates f
             on f.company_id = ${p.companyId} and f.learner_id = a.learner_id and f.attempt_id = a.attempt_id`,
  { language: 'de' },
);

/** @throws not_found if the learner has no such attempt, or the attempt did not pass a training */
export async function getPassedAttempt(
  tenant: TenantReader,
  attempt: OfAttempt,
  language: Language,
): Promise<PassedAttempt> {
  return requireFound(await tenant.queryOne(ofAttempt, { ...attempt, language }), 'certificate');
}

const issue = mutation<OfAttempt & { number: string; language: string }>(
  'certificate_issue',
  (p) => sql`
    insert into certificates (company_id, learner_id, attempt_id, number, course_name, finish_date,
                              valid_for_months)
    select ${p.companyId}, a.learner_id, a.attempt_id, ${p.number},
           ${courseNameFor(sql`c`, sql`${p.language}::text`)}, a.finish_date, c.valid_for_months from ${passed(p)}
    on conflict do nothing`,
  { number: '0123456789ABCDEFGHJK', language: 'de' },
);

/** Issues the certificate of a passed attempt, with the course's name in `language`. Keeps an existing certificate. */
export async function issueCertificate(tenant: TenantWriter, attempt: OfAttempt, language: Language): Promise<void> {
  await tenant.mutate(issue, { ...attempt, number: createNumber(), language });
}
