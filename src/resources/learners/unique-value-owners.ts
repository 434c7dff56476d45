import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

interface UniqueValues {
  emails: string[];
  externalLearnerIds: string[];
}

/** An e-mail address in lower case, or an external id, and the learner who has it. */
interface ExistingKey {
  email: string | null;
  externalLearnerId: string | null;
  learnerId: string;
}

// Finds the values by index, or scans the company once with a hash table of them. A join, or a lookup by the wrong
// index, would scan the company for each value if Postgres lacks statistics about the company.
const selectExisting = query<UniqueValues, ExistingKey>(
  'learner_taken',
  (p) => sql`
    select email_key as email, null as "externalLearnerId", id as "learnerId" from learners
     where company_id = ${p.companyId} and email_key = any(${p.emails}::text[])
    union all
    select null, external_learner_id, id from learners
     where company_id = ${p.companyId} and external_learner_id = any(${p.externalLearnerIds}::text[])
    union all
    select email_key, external_learner_id, current_learner_id from learner_merges
     where company_id = ${p.companyId} and undoable_until > now()
       and (email_key = any(${p.emails}::text[]) or external_learner_id = any(${p.externalLearnerIds}::text[]))`,
);

/** Ids of learners, by lower-case e-mail address and by external id. */
export interface KeyHolders {
  emailHolders: ReadonlyMap<string, string>;
  externalIdHolders: ReadonlyMap<string, string>;
}

/** Finds the learners who have the given e-mail addresses and external ids. */
export async function findKeyHolders(
  tenant: TenantReader,
  values: readonly { email?: string; externalLearnerId?: string | null }[],
): Promise<KeyHolders> {
  const rows = await tenant.queryAll(selectExisting, {
    emails: values.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()])).filter(isStorable),
    externalLearnerIds: values.flatMap(({ externalLearnerId: id }) => (id ? [id.trim()] : [])).filter(isStorable),
  });
  return { emailHolders: mapHolders('email', rows), externalIdHolders: mapHolders('externalLearnerId', rows) };
}

/**
 * Reports whether Postgres can store a string: it must not contain null characters. Other strings are skipped here, and
 * the rules refuse them later.
 */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

function mapHolders(key: 'email' | 'externalLearnerId', rows: readonly ExistingKey[]): Map<string, string> {
  return new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key], row.learnerId] as const])));
}
