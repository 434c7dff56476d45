import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { type Past, PAST_SAMPLES, selectPastMemberIds } from '../learners/shared/past.ts';
import type { MetricsFilter } from './metrics-repository.ts';
import { everyPastRecipient, pastRecipients, pastSimulations } from './past-recipients.ts';
import { ANY_TIME, isSentInPeriod } from './sent-period.ts';
import { countMilestones, LIST_ITEM } from './simulation-repository.ts';

const MILESTONES = sql`r.simulation_id, r.sent_at, r.opened_at, r.visited_at, r.compromised_at, r.reported_at`;

type PastFilter = MetricsFilter & Past;

const metricsOfAll = query<PastFilter, Schemas['SimulationListItem']>(
  'simulation_metrics_past',
  (p) => sql`
    select ${LIST_ITEM}
      from ${pastSimulations(p, sql`true`)} as s
      left join (${countMilestones(everyPastRecipient(p))}) as r on r.simulation_id = s.id
     where s.created_at < ${p.asOfEnd}::timestamptz or r.simulation_id is not null
     order by s.id`,
  PAST_SAMPLES,
);

const metricsOfPeriod = query<PastFilter, Schemas['SimulationListItem']>(
  'simulation_metrics_past_of_period',
  (p) => sql`
    select ${LIST_ITEM}
      from (${countMilestones(sql`
        (select ${MILESTONES} from ${everyPastRecipient(p)} as r
          where r.sent_at is not null and ${isSentInPeriod(p)} and ${p.groupId}::uuid is null
         union all
         select ${MILESTONES}
           from (${selectPastMemberIds(p)}) as member
          cross join lateral ${pastRecipients(p, sql`o.learner_id = member.learner_id`)} as r
          where r.sent_at is not null and ${isSentInPeriod(p)})`)}) as r
      join ${pastSimulations(p, sql`true`)} as s on s.id = r.simulation_id
     order by s.id`,
  { ...ANY_TIME, ...PAST_SAMPLES },
);

/** Returns the same simulations as `listMetrics`, but as of a day. */
export function listPastMetrics(tenant: TenantReader, filter: PastFilter): Promise<Schemas['SimulationListItem'][]> {
  const isWhole = filter.groupId === null && filter.periodStart === null && filter.periodEnd === null;
  return tenant.queryAll(isWhole ? metricsOfAll : metricsOfPeriod, filter);
}
