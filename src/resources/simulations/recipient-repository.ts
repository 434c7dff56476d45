import type { Schemas } from '../../contract/contract.ts';
import type { Rows } from '../../db/rows.ts';
import { BY_ID } from '../../db/keyset.ts';
import { asText, type Sql, sql } from '../../db/sql.ts';
import { pointQuery, pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { hasProfile, type ProfileFilter } from '../learners/shared/learner-profile.ts';
import {
  ALL_LEARNERS,
  LEARNER,
  type LearnersFilter,
  type ReportLearnerRow,
  sampleLearners,
  selectLearnerId,
  selectLearners,
  splitReportLearner,
} from '../learners/shared/reported-learners.ts';
import { type InteractionRow, selectInteractions, toInteraction } from './events/interaction-repository.ts';
import { settledAt } from './events/milestone-rules.ts';

const REFERENCE = sql`
  json_build_object('id', s.id, 'name', s.name, 'status', s.status,
                    'startDate', ${asText(sql`s.start_date`)}, 'endDate', ${asText(sql`s.end_date`)})`;

/**
 * Lists the messages planned for a learner, in the order in which they are due. Empty while the learner is inactive.
 */
export const listQueueOfLearner = pagedQuery<{ learnerId: string }, Schemas['SimulationQueueItem']>(
  'simulation_queue_of_learner',
  { scheduled: 'timestamptz', id: 'uuid' },
  (p) => sql`
    select r.id, r.learner_id as "learnerId", r.simulation_id as "simulationId", r.scheduled_at as scheduled,
           ${REFERENCE} as simulation
      from simulation_recipients r
      join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
      join learners l on l.company_id = r.company_id and l.id = r.learner_id
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId} and not l.inactive
       and r.sent_at is null and r.scheduled_at is not null and r.failed_at is null
       and s.status in ('scheduled', 'running')`,
);

interface ResultFilter {
  learnerId: string;
  includeInteractions: boolean;
  includeVoided: boolean;
}

interface ResultRow extends Omit<Schemas['SimulationResult'], 'settledAt' | 'interactions'> {
  interactions: InteractionRow[] | null;
}

const resultsOfLearner = pagedQuery<ResultFilter, ResultRow>(
  'simulation_results_of_learner',
  BY_ID,
  (p) => sql`
    select r.id, r.learner_id as "learnerId", r.simulation_id as "simulationId",
           r.opened_at as open, r.visited_at as visit, r.compromised_at as compromise, r.reported_at as report,
           r.withdrawn_at as withdrawn, r.withdrawn_because as "withdrawnBecause",
           case when ${p.includeInteractions}::boolean then ${selectInteractions(p)} end as interactions,
           r.sent_at as "createdAt", s.delivery_method as "deliveryMethod", ${REFERENCE} as simulation
      from simulation_recipients r
      join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
     where r.company_id = ${p.companyId} and r.learner_id = ${p.learnerId} and r.sent_at is not null`,
);

/** Lists the messages that a learner was sent, and what the learner did with each. */
export function listResultsOfLearner(tenant: TenantReader, filter: ResultFilter): Rows<Schemas['SimulationResult']> {
  return tenant.stream(resultsOfLearner, filter).map(({ interactions, ...result }) => {
    return { ...result, settledAt: settledAt(result), interactions: interactions && interactions.map(toInteraction) };
  });
}

interface RecipientFilter {
  simulationId: string;
  /** Outcome that the recipients to list have reached; null for all recipients. */
  outcome: Schemas['SimulationOutcome'] | null;
}

/** Condition that a recipient `r` reached the outcome; true if no outcome is given. */
export function didOutcome(p: Parameters<Pick<RecipientFilter, 'outcome'>>): Sql {
  return sql`
    case ${p.outcome}::text when 'opened' then r.opened_at is not null
                            when 'visited' then r.visited_at is not null
                            when 'compromised' then r.compromised_at is not null
                            when 'reported' then r.reported_at is not null
                            else true end`;
}

interface RecipientRow extends Omit<Schemas['SimulationRecipient'], 'learner' | 'settledAt'>, ReportLearnerRow {
  learnerId: string;
}

/** Columns of the message to a recipient `r`, and what the recipient did with it. */
export const MESSAGE_FACTS = sql`
  r.id, r.template_id as "templateId", r.scheduled_at as scheduled, r.sent_at as sent, r.failed_at as "mailFailedAt",
  case when r.failure = 'bounced' then r.failed_at end as bounced,
  r.opened_at as open, r.visited_at as visit, r.compromised_at as compromise, r.reported_at as report,
  r.withdrawn_at as withdrawn, r.withdrawn_because as "withdrawnBecause"`;

// The learner is selected as flat columns and nested later: building JSON for each row takes Postgres three times as
// long.
const RECIPIENT = sql`${LEARNER}, ${MESSAGE_FACTS}`;

const recipients = pagedQuery<RecipientFilter, RecipientRow>(
  'simulation_recipient_list',
  { learnerId: 'uuid' },
  (p, onwards) => sql`
    select r.learner_id as "learnerId", ${RECIPIENT}
      from simulation_recipients r
      join learners l on l.company_id = r.company_id and l.id = r.learner_id and ${onwards(sql`l.id`)}
     where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId} and ${didOutcome(p)}`,
);

const recipientsOfProfile = pagedQuery<RecipientFilter & LearnersFilter, RecipientRow>(
  'simulation_recipient_profile',
  { learnerId: 'uuid' },
  (p, continued) => sql`
    select ${selectLearnerId('profile')} as "learnerId", ${RECIPIENT}
      from ${selectLearners('profile', p, continued)}
     cross join lateral (
       select r.* from simulation_recipients r
        where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId} and r.learner_id = l.id offset 0) as r
     where ${didOutcome(p)}`,
  sampleLearners('profile'),
);

/**
 * Lists the recipients of a simulation, active or not. With an outcome, lists only the recipients who reached that
 * outcome; with a profile, only those who match it.
 */
export function listRecipients(
  tenant: TenantReader,
  filter: RecipientFilter & ProfileFilter,
): Rows<Schemas['SimulationRecipient']> {
  const rows = hasProfile(filter)
    ? tenant.stream(recipientsOfProfile, { ...ALL_LEARNERS, ...filter })
    : tenant.stream(recipients, filter);
  return rows.map(toRecipient);
}

function toRecipient(row: RecipientRow): Schemas['SimulationRecipient'] {
  const { learner, others } = splitReportLearner(row);
  const { id, learnerId, ...facts } = others;
  return { id, learner: { ...learner, id: learnerId }, ...facts, settledAt: settledAt(facts) };
}

const oneRecipient = pointQuery<{ simulationId: string; learnerId: string }, RecipientRow>(
  'simulation_recipient_one',
  (p) => sql`
    select r.learner_id as "learnerId", ${RECIPIENT}
      from simulation_recipients r join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
     where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId} and r.learner_id = ${p.learnerId}`,
);

/** @throws not_found */
export async function getRecipient(
  tenant: TenantReader,
  recipient: { simulationId: string; learnerId: string },
): Promise<Schemas['SimulationRecipient']> {
  return toRecipient(requireFound(await tenant.queryOne(oneRecipient, recipient), 'recipient'));
}

/** Selects the ids of the learners who reached an outcome in a simulation. */
export function selectRecipientIds(p: Parameters<RecipientFilter>): Sql {
  return sql`
    select r.learner_id from simulation_recipients r
     where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId} and ${didOutcome(p)}`;
}
