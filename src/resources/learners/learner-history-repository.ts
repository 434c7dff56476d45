import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import type { Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { toDayStart } from './shared/company-days.ts';

const messages = pagedQuery<{ learnerId: string }, Schemas['LearnerMessage']>(
  'learner_messages',
  BY_ID,
  (p) => sql`
    select m.id, m.kind, m.status, m.created_at as "queuedAt", m.settled_at as "settledAt" from messages m
     where m.company_id = ${p.companyId} and m.learner_id = ${p.learnerId}`,
);

/** Streams the messages to a learner, oldest first. */
export function streamMessages(tenant: TenantReader, learnerId: string): Rows<Schemas['LearnerMessage']> {
  return tenant.stream(messages, { learnerId });
}

type MembershipRow = Schemas['LearnerMembership'] & { id: string };

/** Keyset of the periods. Each period has an id, which distinguishes periods with the same group and start. */
const BY_BEGINNING = { from: 'timestamptz', groupId: 'uuid', id: 'uuid' } as const;

// The first time of a period is rounded, because a keyset has millisecond precision.
const memberships = pagedQuery<{ learnerId: string }, MembershipRow>(
  'learner_memberships',
  BY_BEGINNING,
  (p) => sql`
    select m.id, m.group_id as "groupId", g.name as "groupName", m.began_at as "from", m.ended_at as "to"
      from (select gl.group_id as id, gl.group_id, gl.recorded_at as began_at, null::timestamptz(3) as ended_at
              from group_learners gl
             where gl.company_id = ${p.companyId} and gl.learner_id = ${p.learnerId}
             union all
            select v.group_id, v.group_id, v.recorded_at, v.superseded_at from membership_versions v
             where v.company_id = ${p.companyId} and v.learner_id = ${p.learnerId}
             union all
            select h.id, h.group_id, ${toDayStart(p, sql`h.first_day`)}::timestamptz(3),
                   ${toDayStart(p, sql`(h.last_day + 1)`)}::timestamptz(3)
              from membership_periods h
             where h.company_id = ${p.companyId} and h.learner_id = ${p.learnerId} and h.superseded_at is null) as m
      left join groups g on g.company_id = ${p.companyId} and g.id = m.group_id`,
);

/** Streams the periods in which a learner was or is a member of groups, ordered by start. */
export function streamMemberships(tenant: TenantReader, learnerId: string): Rows<Schemas['LearnerMembership']> {
  return tenant.stream(memberships, { learnerId }).map(({ id: _, ...membership }) => membership);
}
