import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { PeriodTimes } from '../learners/shared/company-days.ts';
import { ANY_TIME, isSentInPeriod } from './sent-period.ts';
import { countMilestones, everyRecipient, LIST_ITEM, listSimulations } from './simulation-repository.ts';

export interface MetricsFilter extends PeriodTimes {
  groupId: string | null;
}

const metricsOfPeriod = query<MetricsFilter, Schemas['SimulationListItem']>(
  'simulation_metrics_of_period',
  (p) => sql`
    select ${LIST_ITEM}
      from (${countMilestones(sql`
        (select * from ${everyRecipient(sql`company_id = ${p.companyId} and sent_at is not null`)} as r
          where ${isSentInPeriod(p)} and ${p.groupId}::uuid is null
         union all
         select r.simulation_id, r.sent_at, r.opened_at, r.visited_at, r.compromised_at, r.reported_at
           from group_learners gl
           join simulation_recipients r on r.company_id = ${p.companyId} and r.learner_id = gl.learner_id
          where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and r.sent_at is not null
            and ${isSentInPeriod(p)})`)}) as r
      join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
     order by s.id`,
  ANY_TIME,
);

/** Returns the simulations with their counts. With a filter, returns only those that have sent matching messages. */
export function listMetrics(tenant: TenantReader, filter: MetricsFilter): Promise<Schemas['SimulationListItem'][]> {
  // Reads all simulations at once: a company has few simulations, however many recipients they have.
  const isWhole = Object.values(filter).every((value) => value === null);
  return isWhole ? tenant.queryAll(listSimulations, {}) : tenant.queryAll(metricsOfPeriod, filter);
}
