import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';

/** Learners as one array per column. */
export interface LearnerColumns {
  ids: string[];
  emails: string[];
  firstNames: string[];
  lastNames: string[];
  externalLearnerIds: (string | null)[];
  locales: (string | null)[];
  departments: (string | null)[];
  jobTitles: (string | null)[];
  countries: (string | null)[];
  locations: (string | null)[];
  timeZones: (string | null)[];
  managerIds: (string | null)[];
  absentUntils: (string | null)[];
  excluded: boolean[];
}

interface Fields {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  externalLearnerId?: string | null | undefined;
  locale?: string | null | undefined;
  department?: string | null | undefined;
  jobTitle?: string | null | undefined;
  country?: string | null | undefined;
  location?: string | null | undefined;
  timeZone?: string | null | undefined;
  managerId?: string | null | undefined;
  absentUntil?: string | null | undefined;
  excludedFromAutoEnrol?: boolean | undefined;
}

export function toLearnerColumns(learners: readonly Fields[]): LearnerColumns {
  return {
    ids: learners.map(({ id }) => id),
    emails: learners.map(({ email }) => email),
    firstNames: learners.map(({ firstName }) => firstName),
    lastNames: learners.map(({ lastName }) => lastName),
    externalLearnerIds: learners.map(({ externalLearnerId = null }) => externalLearnerId),
    locales: learners.map(({ locale = null }) => locale),
    departments: learners.map(({ department = null }) => department),
    jobTitles: learners.map(({ jobTitle = null }) => jobTitle),
    countries: learners.map(({ country = null }) => country),
    locations: learners.map(({ location = null }) => location),
    timeZones: learners.map(({ timeZone = null }) => timeZone),
    managerIds: learners.map(({ managerId = null }) => managerId),
    absentUntils: learners.map(({ absentUntil = null }) => absentUntil),
    excluded: learners.map(({ excludedFromAutoEnrol = false }) => excludedFromAutoEnrol),
  };
}

/** Builds the insert statement for learners. The caller appends the conflict handling. */
export const insertColumns = (p: Parameters<LearnerColumns>): Sql => sql`
  insert into learners (company_id, id, email, email_key, first_name, last_name, external_learner_id, locale, department,
                        job_title, country, location, time_zone, manager_id, absent_until,
                        excluded_from_auto_enrol)
  select ${p.companyId}, id, email, lower(email), first_name, last_name, external_learner_id, locale, department,
         job_title, country, location, time_zone, manager_id, absent_until, excluded
    from unnest(${p.ids}::uuid[], ${p.emails}::text[], ${p.firstNames}::text[], ${p.lastNames}::text[],
                ${p.externalLearnerIds}::text[], ${p.locales}::text[], ${p.departments}::text[], ${p.jobTitles}::text[],
                ${p.countries}::text[], ${p.locations}::text[], ${p.timeZones}::text[], ${p.managerIds}::uuid[],
                ${p.absentUntils}::date[], ${p.excluded}::boolean[])
      as new (id, email, first_name, last_name, external_learner_id, locale, department, job_title, country, location,
              time_zone, manager_id, absent_until, excluded)`;
