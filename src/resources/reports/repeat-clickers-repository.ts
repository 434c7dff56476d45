import type { Schemas } from '../../contract/contract.ts';
import type { Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import {
  byLeading,
  LEARNER,
  type ReportLearnerRow,
  type LearnersFilter,
  sampleLearners,
  selectLearnerId,
  selectLearners,
  splitReportLearner,
} from '../learners/shared/reported-learners.ts';
import type { PeriodTimes } from '../learners/shared/company-days.ts';
import { ANY_TIME, isSentInPeriod } from '../simulations/sent-period.ts';

interface Filter extends LearnersFilter, PeriodTimes {
  /** Lowest number of simulations in which a learner followed the link, at least 1. */
  minimum: number;
}

interface Row extends Omit<Schemas['RepeatClicker'], 'learner' | 'lastVisit'>, ReportLearnerRow {
  lastVisit: string | null;
}

// Counts the messages of each learner by index. With a join, Postgres would count those of all learners for a page.
const repeatClickers = byLeading((leading) =>
  pagedQuery<Filter, Row>(
    `repeat_clickers_${leading}`,
    { learnerId: 'uuid' },
    (p, continued) => sql`
      select ${selectLearnerId(leading)} as "learnerId", counted.*, ${LEARNER}
        from ${selectLearners(leading, p, continued)}
       cross join lateral (
         select count(*)::integer as "sentCount", count(r.opened_at)::integer as "openCount",
                count(r.visited_at)::integer as "visitCount", count(r.compromised_at)::integer as "compromiseCount",
                count(r.reported_at)::integer as "reportCount", max(r.visited_at) as "lastVisit"
           from simulation_recipients r
          where r.company_id = ${p.companyId} and r.learner_id = l.id and r.sent_at is not null
            and ${isSentInPeriod(p)}) as counted
       where counted."visitCount" >= ${p.minimum}`,
    { ...sampleLearners(leading), ...ANY_TIME, minimum: 0 },
  ),
);

/** Lists the reported learners who followed the link in at least `minimum` simulations of the period, by id. */
export function listRepeatClickers(tenant: TenantReader, filter: Filter): Rows<Schemas['RepeatClicker']> {
  return tenant.stream(repeatClickers(filter), filter).map(toRepeatClicker);
}

function toRepeatClicker(row: Row): Schemas['RepeatClicker'] {
  const { learner, others } = splitReportLearner(row);
  // A listed learner has at least one visit.
  return { ...others, lastVisit: row.lastVisit!, learner };
}
