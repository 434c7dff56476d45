import { isManaged } from '../../../auth/caller.ts';
import type { Input, Schemas } from '../../../contract/contract.ts';
import type { Order } from '../../../db/keyset.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters, query, type Statement } from '../../../db/statement.ts';

export type CompaniesSort = NonNullable<Input<'getCompaniesReport'>['sort']>;

export interface ChildFilter {
  /** Part of the company's name; null for all. */
  name: string | null;
  /** Ids of children; null for all. */
  companyIds: string[] | null;
}

/** Figures of a child, with the value that orders the list. */
export type SortedFigures = Omit<Schemas['CompaniesReportRow'], 'riskScoreLevel'> & {
  sortKey: string | null;
};

const isSelected = (p: Parameters<ChildFilter>): Sql => sql`
  ${isManaged(p)} and (${p.name}::text is null or position(lower(${p.name}) in lower(c.name)) > 0)
  and (${p.companyIds}::uuid[] is null or c.id = any(${p.companyIds}::uuid[]))`;

/** A figure that depends on a module counts only while the company has the module. */
const SENT = sql`case when c.smphish then f.sent_count end`;
const CLICK_RATE = sql`case when c.smphish then f.click_rate end`;
const REPORT_RATE = sql`case when c.smphish then f.report_rate end`;
const OVERDUE = sql`case when c.smlearn or c.smpolicy then f.overdue_learners end`;
const OVERDUE_RATE = sql`case when c.smlearn or c.smpolicy then f.overdue_rate end`;
const BREACHED = sql`case when c.smbreachproenabled then f.breached_accounts end`;

/** Declares the list with one sort order. All sort keys are strings, so that all lists have the same row type. */
const listBy = (name: string, sortKey: Sql, kind: NonNullable<Order[string]>): Statement<ChildFilter, SortedFigures> =>
  pagedQuery<ChildFilter, SortedFigures>(
    `companies_report_by_${name}`,
    { sortKey: kind, id: 'uuid asc nulls last' },
    (p) => sql`
      select ${sortKey} as "sortKey", c.id, c.name, c.plan_name = 'freeTrial' as "isTrial",
             coalesce(s.active, 0) as "learnerCount", f.counted_at as "asOf",
             f.average_risk_score::double precision as "averageRiskScore", ${OVERDUE} as "overdueLearners",
             (${OVERDUE_RATE})::double precision as "overdueRate", ${SENT} as "sentCount",
             (${CLICK_RATE})::double precision as "clickRate", (${REPORT_RATE})::double precision as "reportRate",
             ${BREACHED} as "breachedAccounts", f.last_activity_at as "lastActivityAt"
        from companies c
        left join seats_of_children() as s on s.company_id = c.id
        left join figures_of_children() as f on f.company_id = c.id
       where ${isSelected(p)}`,
  );

const LOWEST_FIRST = 'text asc nulls last';
const HIGHEST_FIRST = 'text desc nulls last';
/** Builds a string that sorts like the given non-negative integer. */
const ordered = (number: Sql): Sql => sql`lpad((${number})::integer::text, 10, '0')`;
const share = (rate: Sql): Sql => ordered(sql`(${rate}) * 10000`);
const EARLIEST = sql`to_char(f.last_activity_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

export const STATEMENTS: Readonly<Record<CompaniesSort, Statement<ChildFilter, SortedFigures>>> = {
  companyName: listBy('name', sql`lower(c.name)`, LOWEST_FIRST),
  learnerCount: listBy('learners', ordered(sql`coalesce(s.active, 0)`), HIGHEST_FIRST),
  averageRiskScore: listBy('risk', ordered(sql`f.average_risk_score * 10`), HIGHEST_FIRST),
  overdueRate: listBy('overdue', share(OVERDUE_RATE), HIGHEST_FIRST),
  clickRate: listBy('clicks', share(CLICK_RATE), HIGHEST_FIRST),
  reportRate: listBy('reports', share(REPORT_RATE), LOWEST_FIRST),
  breachedAccounts: listBy('breaches', ordered(BREACHED), HIGHEST_FIRST),
  lastActivityAt: listBy('activity', EARLIEST, LOWEST_FIRST),
};

export const selectedIds = query<ChildFilter, { id: string }>(
  'companies_report_ids',
  (p) => sql`select c.id from companies c where ${isSelected(p)}`,
);
