import { sql } from '../db/sql.ts';
import { query } from '../db/statement.ts';
import type { TenantReader } from '../db/tenant.ts';

/** A learner's latest signature on a policy, as a receipt shows it. */
export interface Receipt {
  /** Version number, such as `2.1`. */
  version: string;
  signed: string;
  /** SHA-256 of the signed file, in hexadecimal. */
  sha256: string;
}

const receipts = query<{ messageId: string }, Receipt>(
  'message_receipts',
  (p) => sql`
    select s.major_version || '.' || s.minor_version as version, s.signed, encode(s.file_sha256, 'hex') as sha256
      from messages m
      join policy_results r on r.company_id = ${p.companyId} and r.learner_id = m.learner_id and r.policy_id = any(m.subject_ids)
      join signatures s on s.company_id = ${p.companyId} and s.learner_id = r.learner_id and s.policy_id = r.policy_id
           and s.signed = r.signed and s.version_id = r.signed_version_id
     where m.company_id = ${p.companyId} and m.id = ${p.messageId}
     order by s.policy_name, s.policy_id`,
);

/** Returns the latest signatures of a message's learner on the policies of the message. */
export function findReceipts(tenant: TenantReader, messageId: string): Promise<Receipt[]> {
  return tenant.queryAll(receipts, { messageId });
}
