import type { Schemas } from '../../contract/contract.ts';
import { fullName } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import { effectiveManagerId } from '../../db/manager-in-effect.ts';

type Figures = Schemas['OverdueFigures'];

interface Filter {
  campaignId: string | null;
}

const ORDER = { name: 'text asc nulls last', id: 'uuid asc nulls last' } as const;

/**
 * Selects figures about the open assignments of active learners `l`.
 * @param places query that selects the `id`, `key` and `name` of the units that the learner belongs to; returns no row
 *   if there are none
 */
const figuresBy = (p: Parameters<Filter>, places: Sql): Sql => sql`
  select o.id, min(o.name) as name,
         count(distinct a.learner_id)::integer as "openLearners", count(*)::integer as "openAssignments",
         (count(distinct a.learner_id) filter (where a.due_at <= now()))::integer as "overdueLearners",
         (count(*) filter (where a.due_at <= now()))::integer as "overdueAssignments"
    from campaign_assignments a
    join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id and not l.inactive
    left join lateral (${places}) as o on true
   where a.company_id = ${p.companyId} and ${IS_OPEN}
     and (${p.campaignId}::uuid is null or a.campaign_id = ${p.campaignId})
   group by o.id, o.key`;

const byDepartment = pagedQuery<Filter, Figures>('overdue_by_department', ORDER, (p) =>
  figuresBy(
    p,
    sql`select null::uuid as id, l.department_key as key, l.department as name where l.department is not null`,
  ),
);

const byGroup = pagedQuery<Filter, Figures>('overdue_by_group', ORDER, (p) =>
  figuresBy(
    p,
    sql`select g.id, '' as key, g.name from group_learners m join groups g on g.company_id = ${p.companyId} and g.id = m.group_id
         where m.company_id = ${p.companyId} and m.learner_id = l.id`,
  ),
);

const byManager = pagedQuery<Filter, Figures>('overdue_by_manager', ORDER, (p) =>
  figuresBy(
    p,
    sql`select m.id, '' as key, ${fullName(sql`m`)} as name from learners m
         where m.company_id = ${p.companyId} and m.id = ${effectiveManagerId(p)}`,
  ),
);

const STATEMENTS = { department: byDepartment, group: byGroup, manager: byManager };

/** Reads the figures of open and overdue assignments, ordered by name. */
export function readOverdueFigures(
  tenant: TenantReader,
  by: keyof typeof STATEMENTS,
  campaignId: string | null,
): Rows<Figures> {
  return tenant.stream(STATEMENTS[by], { campaignId });
}
