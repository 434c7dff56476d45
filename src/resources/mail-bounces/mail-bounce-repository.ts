import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery, pointQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** Lists the bounces of a learner's messages. */
export const listOfLearner = pagedQuery<{ learnerId: string }, Schemas['LearnerBounce']>(
  'mail_bounces_of_learner',
  BY_ID,
  (p) => sql`
    select b.id, b.class, b.reason, b.status, b.source, b.message_id as "messageId",
           b.address_hash = address_hash(l.email) as "isPresentAddress", b.occurred_at as "occurredAt",
           b.received_at as "receivedAt"
      from mail_bounces b
      join learners l on l.company_id = ${p.companyId} and l.id = b.learner_id
     where b.company_id = ${p.companyId} and b.learner_id = ${p.learnerId}`,
);

const byAddress = pointQuery<{ address: string }, { id: string; email: string }>(
  'mail_bounce_learner',
  (p) => sql`
    select id, email from learners where company_id = ${p.companyId} and email_key = lower(${p.address})`,
);

/** Finds the learner who has an e-mail address, ignoring case. */
export function findByAddress(
  tenant: TenantReader,
  address: string,
): Promise<{ id: string; email: string } | undefined> {
  return tenant.queryOne(byAddress, { address });
}
