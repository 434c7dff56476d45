import type { Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';

type LearnerKey = Schemas['LearnerKey'];

interface LearnerKeys {
  learnerIds: string[];
  emailKeys: string[];
  externalLearnerIds: string[];
}

interface KeyedLearner {
  id: string;
  emailKey: string;
  externalLearnerId: string | null;
}

// Locks the rows against deletion, in the order of their ids, so that a foreign key to them cannot fail.
const byKeys = mutation<LearnerKeys, KeyedLearner>(
  'learner_by_keys',
  (p) => sql`
    select id, email_key as "emailKey", external_learner_id as "externalLearnerId" from learners
     where company_id = ${p.companyId}
       and (id = any(${p.learnerIds}::uuid[]) or email_key = any(${p.emailKeys}::text[])
            or external_learner_id = any(${p.externalLearnerIds}::text[]))
     order by id for key share`,
);

/** Returns the id of a key's learner; undefined if the company does not have the learner. */
export type FindLearnerId = (key: LearnerKey) => string | undefined;

/** The learners found by keys or ids. */
export interface ExistingLearners {
  ids: ReadonlySet<string>;
  findId: FindLearnerId;
  /** Returns the address of a learner, in lower case. */
  getEmailKey: (id: string) => string | undefined;
}

/** Looks up the learners of all keys at once. These learners cannot be deleted until the transaction ends. */
export async function findLearnersByKeys(tenant: TenantWriter, keys: readonly LearnerKey[]): Promise<FindLearnerId> {
  const { ids, findId } = await lockLearnersByKeys(tenant, keys);
  recordLearners(tenant, keys, ids);
  return findId;
}

/** Adds learners whom a call names by keys other than their ids to the targets of its audit record. */
export function recordLearners(tenant: TenantWriter, keys: readonly LearnerKey[], ids: Iterable<string>): void {
  const requestedIds = new Set(keys.map(({ id }) => id));
  tenant.addTargets(
    'learnerId',
    [...ids].filter((id) => !requestedIds.has(id)),
  );
}

/**
 * Looks up the learners of all keys at once, as `findLearnersByKeys` does, but does not record them in the audit log.
 * @param moreIds ids of learners to find and lock in addition
 */
export async function lockLearnersByKeys(
  tenant: TenantWriter,
  keys: readonly LearnerKey[],
  moreIds: readonly string[] = [],
): Promise<ExistingLearners> {
  const requestedIds = keys.flatMap(({ id }) => (id !== undefined && isId(id) ? [id] : []));
  const rows = await tenant.mutate(byKeys, {
    learnerIds: distinct([...requestedIds, ...moreIds]),
    emailKeys: distinct(keys.flatMap(({ email }) => email?.toLowerCase() ?? [])),
    externalLearnerIds: distinct(keys.flatMap(({ externalLearnerId: id }) => id?.trim() ?? [])),
  });
  const ids = new Set(rows.map(({ id }) => id));
  const emailKeys = new Map(rows.map(({ id, emailKey }) => [id, emailKey]));
  const byEmail = new Map(rows.map(({ id, emailKey }) => [emailKey, id]));
  const byExternalId = new Map(rows.map(({ id, externalLearnerId }) => [externalLearnerId, id]));
  const findId: FindLearnerId = ({ id, email, externalLearnerId }) => {
    if (id !== undefined) return ids.has(id) ? id : undefined;
    if (email !== undefined) return byEmail.get(email.toLowerCase());
    return byExternalId.get(externalLearnerId!.trim());
  };
  return { ids, findId, getEmailKey: (id) => emailKeys.get(id) };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
