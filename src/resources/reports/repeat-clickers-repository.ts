import type { Schemas } from '../../contract/contract.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../db/statement.ts';
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

export interface RepeatClickersFilter extends LearnersFilter, PeriodTimes {
  /** Lowest number of simulations in which a learner followed the link, at least 1. */
  minimum: number;
}

export interface RepeatClickerRow extends Omit<Schemas['RepeatClicker'], 'learner' | 'lastVisit'>, ReportLearnerRow {
  lastVisit: string | null;
}

/** Counts the messages of recipients in the period, and what the recipients did. */
export const selectMessageCounts = (p: Parameters<PeriodTimes>, recipients: Sql): Sql => sql`
  select count(*)::integer as "sentCount", count(r.opened_at)::integer as "openCount",
         count(r.visited_at)::integer as "visitCount", count(r.compromised_at)::integer as "compromiseCount",
         count(r.reported_at)::integer as "reportCount", max(r.visited_at) as "lastVisit"
    from ${recipients} as r
   where r.sent_at is not null and ${isSentInPeriod(p)}`;

// Counts the messages of each learner by index. With a join, Postgres would count those of all learners for a page.
const repeatClickers = byLeading((leading) =>
  pagedQuery<RepeatClickersFilter, RepeatClickerRow>(
    `repeat_clickers_${leading}`,
    { learnerId: 'uuid' },
    (p, continued) => sql`
      select ${selectLearnerId(leading)} as "learnerId", counted.*, ${LEARNER}
        from ${selectLearners(leading, p, continued)}
       cross join lateral (
         ${selectMessageCounts(p, sql`simulation_recipients`)} and r.company_id = ${p.companyId} and r.learner_id = l.id
       ) as counted
       where counted."visitCount" >= ${p.minimum}`,
    { ...sampleLearners(leading), ...ANY_TIME, minimum: 0 },
  ),
);

/** Lists the reported learners who followed the link in at least `minimum` simulations of the period, by id. */
export function listRepeatClickers(tenant: TenantReader, filter: RepeatClickersFilter): Rows<Schemas['RepeatClicker']> {
  return tenant.stream(repeatClickers(filter), filter).map(toRepeatClicker);
}

/** Nests the learner of a row. */
export function toRepeatClicker(row: RepeatClickerRow): Schemas['RepeatClicker'] {
  const { learner, others } = splitReportLearner(row);
  // A listed learner has at least one visit.
  return { ...others, lastVisit: row.lastVisit!, learner };
}
