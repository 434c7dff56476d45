import { sql } from '../../../db/sql.ts';
import { pagedQuery } from '../../../db/statement.ts';
import { FIGURES, learners } from './group-report-repository.ts';
import type { CountedDepartment } from './group-report-rules.ts';

export const listDepartmentFigures = pagedQuery<object, CountedDepartment>(
  'report_department_figures',
  { name: 'text asc nulls last' },
  (p) => sql`
    select min(l.department) as name, ${FIGURES}
      from ${learners(p)} as l
     group by l.department_key`,
);
