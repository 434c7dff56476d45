import type { Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { findMergedLearners } from './merged-learners.ts';

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

// Locks the rows against deletion, in the order of their ids, so that foreign keys to them cannot fail.
const byKeys = mutation<LearnerKeys, KeyedLearner>(
  'learner_by_keys',
  (p) => sql`
    select id, email_key as "emailKey", external_learner_id as "externalLearnerId" from learners
     where company_id = ${p.companyId}
       and (id = any(${p.learnerIds}::uuid[]) or email_key = any(${p.emailKeys}::text[])
            or external_learner_id = any(${p.externalLearnerIds}::text[]))
     order by id for key share`,
);

/** Returns the id of the learner that a key names; undefined if the company does not have the learner. */
export type FindLearnerId = (key: LearnerKey) => string | undefined;

/** Learners found by keys or ids. */
export interface ExistingLearners {
  ids: ReadonlySet<string>;
  findId: FindLearnerId;
  /** Returns the e-mail address of a learner, in lower case. */
  getEmailKey: (id: string) => string | undefined;
}

/**
 * Looks up the learners of all keys at once. A key of a merged learner, unless another learner has it, leads to the
 * learner who replaced the merged one. The learners cannot be deleted until the transaction ends.
 */
export async function findLearnersByKeys(tenant: TenantWriter, keys: readonly LearnerKey[]): Promise<FindLearnerId> {
  const { ids, findId } = await lockLearnersByKeys(tenant, keys);
  recordLearners(tenant, keys, ids);
  return findId;
}

/** Adds learners to the targets of the call's audit record, if the call names them by keys other than their ids. */
export function recordLearners(tenant: TenantWriter, keys: readonly LearnerKey[], ids: Iterable<string>): void {
  const requestedIds = new Set(keys.map(({ id }) => id));
  tenant.addTargets(
    'learnerId',
    [...ids].filter((id) => !requestedIds.has(id)),
  );
}

/**
 * Looks up the learners of all keys at once, like `findLearnersByKeys`, but does not record them in the audit log.
 * @param moreIds ids of additional learners to find and lock
 */
export async function lockLearnersByKeys(
  tenant: TenantWriter,
  keys: readonly LearnerKey[],
  moreIds: readonly string[] = [],
): Promise<ExistingLearners> {
  const requested = toLearnerKeys(keys);
  const rows = await tenant.mutate(byKeys, {
    ...requested,
    learnerIds: distinct([...requested.learnerIds, ...moreIds]),
  });
  const { findId } = indexLearners(rows);
  const unknown = keys.filter((key) => findId(key) === undefined);
  return indexLearners(rows, unknown.length > 0 ? await lockMergedLearners(tenant, toLearnerKeys(unknown)) : []);
}

function toLearnerKeys(keys: readonly LearnerKey[]): LearnerKeys {
  return {
    learnerIds: distinct(keys.flatMap(({ id }) => (id !== undefined && isId(id) ? [id] : []))),
    emailKeys: distinct(keys.flatMap(({ email }) => email?.toLowerCase() ?? [])),
    externalLearnerIds: distinct(keys.flatMap(({ externalLearnerId: id }) => id?.trim() ?? [])),
  };
}

/** A learner found by their own key, or by a key that another record had before a merge. */
type FoundLearner = KeyedLearner & { formerKeys?: KeyedLearner };

/** Finds the learners who replaced merged learners, and locks them like `byKeys`. */
async function lockMergedLearners(tenant: TenantWriter, keys: LearnerKeys): Promise<FoundLearner[]> {
  const merged = await findMergedLearners(tenant, keys);
  if (merged.length === 0) return [];
  const learnerIds = distinct(merged.map(({ currentLearnerId }) => currentLearnerId));
  const rows = await tenant.mutate(byKeys, { learnerIds, emailKeys: [], externalLearnerIds: [] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return merged.flatMap(({ currentLearnerId, ...formerKeys }) => {
    const learner = byId.get(currentLearnerId);
    return learner ? [{ ...learner, formerKeys }] : [];
  });
}

/** @param merged learners, with the keys of others who were merged into them; a learner's own keys take precedence */
function indexLearners(rows: readonly KeyedLearner[], merged: readonly FoundLearner[] = []): ExistingLearners {
  const found: FoundLearner[] = [...merged, ...rows];
  const entries = found.map(({ id, formerKeys, ...own }) => [id, formerKeys ?? { id, ...own }] as const);
  const byId = new Map(entries.map(([id, keys]) => [keys.id, id]));
  const byEmail = new Map(entries.map(([id, { emailKey }]) => [emailKey, id]));
  const byExternalId = new Map(entries.map(([id, { externalLearnerId }]) => [externalLearnerId, id]));
  const emailKeys = new Map(found.map(({ id, emailKey }) => [id, emailKey]));
  const findId: FindLearnerId = ({ id, email, externalLearnerId }) => {
    if (id !== undefined) return byId.get(id);
    if (email !== undefined) return byEmail.get(email.toLowerCase());
    return byExternalId.get(externalLearnerId!.trim());
  };
  return { ids: new Set(found.map(({ id }) => id)), findId, getEmailKey: (id) => emailKeys.get(id) };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
