import { type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { getEmailDomain } from '../../learners/shared/person-rules.ts';
import type { PlannedLearner, PlannedMessage } from './plan-rules.ts';

interface Audience {
  everyone: boolean;
  learnerIds: string[];
  groupIds: string[];
}

const audienceSource = (p: Parameters<Audience>): Sql => sql`
    with asked as (
      select id from learners where company_id = ${p.companyId} and ${p.everyone}
      union
      select unnest(${p.learnerIds}::uuid[])
      union
      select learner_id from group_learners where company_id = ${p.companyId} and group_id = any(${p.groupIds}::uuid[])
    ), excluded as (
      select learner_id as id from simulation_exclusions where company_id = ${p.companyId} and learner_id is not null
      union
      select gl.learner_id
        from simulation_exclusions x
        join group_learners gl on gl.company_id = x.company_id and gl.group_id = x.group_id
       where x.company_id = ${p.companyId}
    )
    select l.id, l.locale, l.email from learners l
     where l.company_id = ${p.companyId} and not l.inactive
       and l.id in (select id from asked except select id from excluded)
     order by l.id`;

interface AudienceRow extends PlannedLearner {
  email: string;
}

// Locks the learners against deletion, in the order of their ids, so that the foreign keys of recipients cannot fail.
const lockAudience = mutation<Audience, AudienceRow>(
  'simulation_wanted_learners',
  (p) => sql`${audienceSource(p)} for key share`,
  { everyone: true },
);

const selectAudience = query<Audience, AudienceRow>('simulation_expected_learners', audienceSource, { everyone: true });

/**
 * Finds the recipients of a plan: active learners who are not excluded and have an e-mail address in one of the
 * domains.
 */
export async function findRecipients(
  tenant: TenantWriter,
  audience: Audience,
  domains: readonly string[],
): Promise<PlannedLearner[]> {
  return inDomains(await tenant.mutate(lockAudience, audience), domains);
}

/** Finds the recipients that a plan would have, without locking them. */
export async function previewRecipients(
  tenant: TenantReader,
  audience: Audience,
  domains: readonly string[],
): Promise<PlannedLearner[]> {
  return inDomains(await tenant.queryAll(selectAudience, audience), domains);
}

function inDomains(learners: AudienceRow[], domains: readonly string[]): PlannedLearner[] {
  return learners.filter(({ email }) => domains.includes(getEmailDomain(email)));
}

interface Columns {
  simulationId: string;
  learnerIds: string[];
  times: string[];
  templateIds: string[];
  locales: string[];
}

const insert = mutation<Columns>(
  'simulation_insert_recipients',
  (p) => sql`
    insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, template_id, locale)
    select ${p.companyId}, ${p.simulationId}, new.*
      from unnest(${p.learnerIds}::uuid[], ${p.times}::timestamptz[], ${p.templateIds}::uuid[], ${p.locales}::text[]) as new
    on conflict do nothing`,
);

/** Stores planned messages as recipients of the simulation. */
export async function insertRecipients(
  tenant: TenantWriter,
  simulationId: string,
  messages: readonly PlannedMessage[],
): Promise<void> {
  await tenant.mutate(insert, {
    simulationId,
    learnerIds: messages.map(({ learnerId }) => learnerId),
    times: messages.map(({ scheduledAt }) => scheduledAt),
    templateIds: messages.map(({ templateId }) => templateId),
    locales: messages.map(({ locale }) => locale),
  });
}
