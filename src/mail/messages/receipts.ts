import { addInterval, SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** A learner's latest signature of a policy, as a receipt shows it. */
export interface Receipt {
  /** Version number, such as `2.1`. */
  version: string;
  signed: string;
  /** SHA-256 of the signed file, in hexadecimal. */
  sha256: string;
}

const receipts = query<{ messageIds: readonly string[] }, Receipt & { messageId: string }>(
  'message_receipts',
  (p) => sql`
    select s.major_version || '.' || s.minor_version as version, s.signed, encode(s.file_sha256, 'hex') as sha256,
           m.id as "messageId"
      from messages m
      join policy_results r on r.company_id = ${p.companyId} and r.learner_id = m.learner_id and r.policy_id = any(m.subject_ids)
      join signatures s on s.company_id = ${p.companyId} and s.learner_id = r.learner_id and s.policy_id = r.policy_id
           and s.signed = r.signed and s.version_id = r.signed_version_id
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[])
     order by s.policy_name, s.policy_id`,
);

/** Returns the latest signatures that each message's learner gave for the policies of the message. */
export function findReceipts(
  tenant: TenantReader,
  messageIds: readonly string[],
): Promise<(Receipt & { messageId: string })[]> {
  return tenant.queryAll(receipts, { messageIds });
}

/** A signature that a learner gave on the service's own pages, and that no longer counts. */
export interface VoidedSignature {
  policyName: string;
  /** Version number of the policy, such as `2.1`. */
  version: string;
  signed: string;
  /** Whether the learner must sign the policy again. */
  isToSign: boolean;
}

/**
 * Selects the voided signatures `s` that the learner of a message `m` gave on the service's own pages. A queued message
 * can replace an earlier one about the same policy, so it includes the signatures of a whole day.
 */
export const voidedSignatures = (p: Parameters<object>, columns: Sql = sql`s.signed`): Sql => sql`
  select ${columns} from signature_events g
    join signatures s on s.company_id = ${p.companyId} and s.learner_id = g.learner_id and s.policy_id = g.policy_id
         and s.signed = g.signed and s.version_id = g.version_id
    left join policy_results r
           on r.company_id = ${p.companyId} and r.learner_id = s.learner_id and r.policy_id = s.policy_id
   where g.company_id = ${p.companyId} and g.learner_id = m.learner_id and g.policy_id = any(m.subject_ids) and g.is_own
     and s.voided_at > ${addInterval(sql`m.created_at`, sql`interval '-1 day'`)}`;

const voided = query<{ messageIds: readonly string[] }, VoidedSignature & { messageId: string }>(
  'message_voided_signatures',
  (p) => sql`
    select v.*, m.id as "messageId" from messages m cross join lateral (${voidedSignatures(
      p,
      sql`s.policy_name as "policyName", s.major_version || '.' || s.minor_version as version, s.signed,
          coalesce(r.assigned_at is not null and not ${SIGNED_IN_FORCE}, false) as "isToSign"`,
    )}) as v
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[])
     order by v.signed, v."policyName"`,
);

/** Returns, for each message, the voided signatures of its learner, oldest first. */
export function findVoidedSignatures(
  tenant: TenantReader,
  messageIds: readonly string[],
): Promise<(VoidedSignature & { messageId: string })[]> {
  return tenant.queryAll(voided, { messageIds });
}
