import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TrendCell, TrendSimulation } from './simulation-trend-rules.ts';

interface Since {
  /** First day of the report. */
  since: string;
}

/** Counts the messages of a company by month and difficulty. */
export const trendCells = query<Since, TrendCell>(
  'simulation_trend_cells',
  (p) => sql`
    select to_char(r.sent_at at time zone 'UTC', 'YYYY-MM') as month, t.difficulty, count(*)::integer as "sentCount",
           count(r.visited_at)::integer as "visitCount", count(r.reported_at)::integer as "reportCount"
      from simulation_recipients r
      left join simulation_templates t
             on t.id = r.template_id and (t.owner_id = managed_catalogue() or t.owner_id = ${p.companyId})
     where r.company_id = ${p.companyId} and r.sent_at >= ${p.since}::timestamptz
     group by 1, 2 order by 1, 2`,
  { since: '2026-01-01' },
);

type SimulationRow = Omit<TrendSimulation, 'reportRate' | 'visitRate'>;

/** Lists the simulations whose first message was sent on or after a day, latest first. */
export const trendSimulations = query<Since, SimulationRow>(
  'simulation_trend_simulations',
  (p) => sql`
    select s.id, s.name, r."firstSentAt", r."sentCount", r."reportCount", r."visitCount",
           case when r."firstReportAt" is not null
                then greatest(0, floor(extract(epoch from r."firstReportAt" - r."firstSentAt") / 60))::integer
            end as "firstReportMinutes"
      from (select simulation_id, min(sent_at) as "firstSentAt", min(reported_at) as "firstReportAt",
                   count(*)::integer as "sentCount", count(visited_at)::integer as "visitCount",
                   count(reported_at)::integer as "reportCount"
              from simulation_recipients where company_id = ${p.companyId} and sent_at is not null
             group by simulation_id having min(sent_at) >= ${p.since}::timestamptz) as r
      join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
     order by r."firstSentAt" desc, s.id limit 200`,
  { since: '2026-01-01' },
);
