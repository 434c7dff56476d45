import { sql } from '../../db/sql.ts';
import { statement } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

interface AskedKeys {
  emails: string[];
  externalLearnerIds: string[];
}

/** An address, in lower case, or an id that a learner of the company has. */
interface TakenKey {
  email: string | null;
  externalLearnerId: string | null;
  learnerId: string;
}

// One index lookup for each value. LIMIT keeps Postgres from turning it into a join with all learners.
const taken = statement<AskedKeys, TakenKey>(
  'learner_taken',
  (p) => sql`
    select asked.email, null as "externalLearnerId", l.id as "learnerId" from unnest(${p.emails}::text[]) as asked (email)
      cross join lateral (
        select l.id from learners l where l.company_id = ${p.companyId} and l.email_key = asked.email limit 1) as l
    union all
    select null, asked.id, l.id from unnest(${p.externalLearnerIds}::text[]) as asked (id)
      cross join lateral (
        select l.id from learners l where l.company_id = ${p.companyId} and l.external_learner_id = asked.id limit 1) as l`,
);

/** Who holds what. Addresses are in lower case. */
export interface KeyHolders {
  emailHolders: ReadonlyMap<string, string>;
  externalIdHolders: ReadonlyMap<string, string>;
}

/** Who holds the addresses and ids that are asked for. */
export async function findKeyHolders(
  tenant: TenantReader,
  asked: readonly { email?: string; externalLearnerId?: string | null }[],
): Promise<KeyHolders> {
  const rows = await tenant.all(taken, {
    emails: asked.flatMap(({ email }) => (email === undefined ? [] : [email.toLowerCase()])).filter(isStorable),
    // With spaces around them, too: release 0.1.0 stored them so.
    externalLearnerIds: asked.flatMap(({ externalLearnerId: id }) => (id ? [id, id.trim()] : [])).filter(isStorable),
  });
  return { emailHolders: holdersOf('email', rows), externalIdHolders: holdersOf('externalLearnerId', rows) };
}

/** Rows are judged after this. Postgres takes no null character. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

function holdersOf(key: 'email' | 'externalLearnerId', rows: readonly TakenKey[]): Map<string, string> {
  return new Map(rows.flatMap((row) => (row[key] === null ? [] : [[row[key].trim(), row.learnerId] as const])));
}
